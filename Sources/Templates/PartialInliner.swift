/// Replaces partial tags with the partials' text, once, when a template is compiled.
///
/// kainjow parses a partial anew for each use in a rendering. Inlining its text gives the same
/// result (the library renders partials into the same line), except for a partial that contains
/// itself: that one is left to the library.
struct PartialInliner {
    /// More is a mistake: partials that include each other twice grow exponentially, in bytes or,
    /// if the last is empty, in number.
    private static let maxBytes = 1 << 20
    private static let maxPartials = 10_000
    private static let maxPartialDepth = 64
    /// Bytes of text between two size tags.
    private static let sizeTagInterval = 512

    private let files: [String: TemplateFile]
    private var output: [UInt8] = []
    /// The files being inlined, outermost first.
    private var stack: [String] = []
    /// Partials that contain themselves.
    private var recursivePartials: Set<String> = []
    private var referencedNames: Set<String> = []
    private var insertedCount = 0
    /// Bytes of text since the last size tag.
    private var untaggedBytes = 0

    /// The text to parse, and the partials that only a rendering can expand.
    struct Output {
        var text: [UInt8]
        var partials: [String: [UInt8]]
        /// Every model name that either uses, at any depth.
        var referencedNames: Set<String>
    }

    static func inlinePartials(of file: TemplateFile, files: [String: TemplateFile])
        throws(TemplateError)
        -> Output
    {
        var root = PartialInliner(files: files)
        try root.insert(file)
        try root.checkDepth(file, SectionNesting.maxDepth)
        var partials: [String: [UInt8]] = [:]
        var pending = root.recursivePartials
        while let name = pending.popFirst() {
            guard partials[name] == nil, let file = files[name] else { continue }
            var next = PartialInliner(files: files)
            try next.insert(file)
            try next.checkDepth(file, SectionNesting.maxRecursiveDepth)
            partials[name] = next.output
            pending.formUnion(next.recursivePartials)
            root.referencedNames.formUnion(next.referencedNames)
        }
        return Output(
            text: root.output, partials: partials, referencedNames: root.referencedNames)
    }

    private init(files: [String: TemplateFile]) { self.files = files }

    private mutating func insert(_ file: TemplateFile) throws(TemplateError) {
        if let problem = file.parseError { throw problem }
        insertedCount += 1
        guard insertedCount <= Self.maxPartials, stack.count <= Self.maxPartialDepth else {
            throw TemplateError(
                file.path,
                stack.count > Self.maxPartialDepth
                    ? "partials are nested more than \(Self.maxPartialDepth) deep"
                    : "it has more than \(Self.maxPartials) partials")
        }
        stack.append(file.name)
        defer { stack.removeLast() }
        var scanner = TagScanner(file.source)
        while let piece = scanner.next() {
            switch piece {
            case .text(let range):
                WhitespaceMask.append(file.source[range], to: &output)
                addSizeTag(range.count, scanner.delimiters)
            case .closeSection(let range): output.append(contentsOf: file.source[range])
            case .openSection(let name, let range), .tag(let name, let range):
                for part in name.split(separator: ".") { referencedNames.insert(String(part)) }
                output.append(contentsOf: file.source[range])
            case .partial(let name, let range):
                guard !stack.contains(name) else {
                    recursivePartials.insert(name)
                    output.append(contentsOf: file.source[range])
                    continue
                }
                guard let partial = files[name] else {
                    throw TemplateError(
                        file: file.path, source: file.source, offset: range.lowerBound,
                        detail: "there is no template \"\(name)\"")
                }
                try insert(partial, within: scanner.delimiters)
            }
            guard output.count <= Self.maxBytes else {
                throw TemplateError(file.path, "with its partials it is larger than 1 MiB")
            }
        }
        // "Delimiters set in a partial do not affect the parent template."
        resetDelimiters(from: scanner.delimiters)
    }

    /// Inlined partials are nested in sections and have sections of their own.
    private func checkDepth(_ file: TemplateFile, _ limit: Int) throws(TemplateError) {
        guard SectionNesting(output).firstSection(deeperThan: limit) != nil else { return }
        throw TemplateError(
            file.path, "with its partials, sections are nested more than \(limit) deep")
    }

    /// Adds the size of the preceding text, in a tag that the shim reads and that renders as
    /// nothing: the library does not notify the shim of text.
    private mutating func addSizeTag(_ count: Int, _ delimiters: TagScanner.Delimiters) {
        untaggedBytes += count
        guard untaggedBytes >= Self.sizeTagInterval else { return }
        resetDelimiters(from: delimiters)
        output.append(contentsOf: "{{\u{1}\(untaggedBytes)}}".utf8)
        setDelimiters(delimiters)
        untaggedBytes = 0
    }

    /// "A partial does not inherit the delimiters of its parent."
    private mutating func insert(_ partial: TemplateFile, within delimiters: TagScanner.Delimiters)
        throws(TemplateError)
    {
        resetDelimiters(from: delimiters)
        try insert(partial)
        setDelimiters(delimiters)
    }

    private mutating func setDelimiters(_ delimiters: TagScanner.Delimiters) {
        guard delimiters != .standard else { return }
        output.append(contentsOf: "{{=".utf8)
        output.append(contentsOf: delimiters.open)
        output.append(0x20)
        output.append(contentsOf: delimiters.close)
        output.append(contentsOf: "=}}".utf8)
    }

    private mutating func resetDelimiters(from delimiters: TagScanner.Delimiters) {
        guard delimiters != .standard else { return }
        output.append(contentsOf: delimiters.open)
        output.append(contentsOf: "={{ }}=".utf8)
        output.append(contentsOf: delimiters.close)
    }
}
