/// Puts the text of partials where they are named, once, at parsing.
///
/// kainjow parses a partial anew each time a rendering meets it. Inserting
/// its text gives the same result (it renders partials into the same line),
/// except for one that contains itself: such a one is left to the library.
struct Flattening {
    /// More is a mistake: partials that name each other twice double, in
    /// bytes or, where the last is empty, in number.
    private static let limit = 1 << 20
    private static let mostPartials = 10_000
    private static let deepestPartials = 64
    /// So much text goes between two notes of its size.
    private static let stretch = 512

    private let files: [String: TemplateFile]
    private var output: [UInt8] = []
    /// The partials under way, outermost first.
    private var stack: [String] = []
    /// Those that contain themselves.
    private var recursive: Set<String> = []
    private var names: Set<String> = []
    private var inserted = 0
    /// Text put out since its size was noted.
    private var unnoted = 0

    /// The text to parse, and the partials only a rendering can expand.
    struct Result {
        var text: [UInt8]
        var partials: [String: [UInt8]]
        /// Every name of a model either mentions, at whatever depth.
        var names: Set<String>
    }

    static func flatten(_ file: TemplateFile, files: [String: TemplateFile]) throws(TemplateError)
        -> Result
    {
        var start = Flattening(files: files)
        try start.insert(file)
        try start.check(file, Nesting.deepest)
        var partials: [String: [UInt8]] = [:]
        var waiting = start.recursive
        while let name = waiting.popFirst() {
            guard partials[name] == nil, let file = files[name] else { continue }
            var next = Flattening(files: files)
            try next.insert(file)
            try next.check(file, Nesting.deepestRecursive)
            partials[name] = next.output
            waiting.formUnion(next.recursive)
            start.names.formUnion(next.names)
        }
        return Result(text: start.output, partials: partials, names: start.names)
    }

    private init(files: [String: TemplateFile]) { self.files = files }

    private mutating func insert(_ file: TemplateFile) throws(TemplateError) {
        if let problem = file.problem { throw problem }
        inserted += 1
        guard inserted <= Self.mostPartials, stack.count <= Self.deepestPartials else {
            throw TemplateError(
                file.path,
                stack.count > Self.deepestPartials
                    ? "partials stand more than \(Self.deepestPartials) deep"
                    : "it has more than \(Self.mostPartials) partials")
        }
        stack.append(file.name)
        defer { stack.removeLast() }
        var scanner = TagScanner(file.source)
        while let piece = scanner.next() {
            switch piece {
            case .text(let range):
                Literal.append(file.source[range], to: &output)
                note(range.count, scanner.delimiters)
            case .close(let range): output.append(contentsOf: file.source[range])
            case .open(let name, let range), .tag(let name, let range):
                for part in name.split(separator: ".") { names.insert(String(part)) }
                output.append(contentsOf: file.source[range])
            case .partial(let name, let range):
                guard !stack.contains(name) else {
                    recursive.insert(name)
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
            guard output.count <= Self.limit else {
                throw TemplateError(file.path, "with its partials it is larger than 1 MiB")
            }
        }
        // "Delimiters set in a partial do not affect the parent template."
        reset(from: scanner.delimiters)
    }

    /// Partials stand in sections and have sections of their own.
    private func check(_ file: TemplateFile, _ limit: Int) throws(TemplateError) {
        guard Nesting(output).beyond(limit) != nil else { return }
        throw TemplateError(
            file.path, "with its partials, sections stand more than \(limit) deep")
    }

    /// Notes how much text stood here, in a tag that the shim reads and that
    /// renders as nothing: the library does not tell it of text.
    private mutating func note(_ count: Int, _ delimiters: TagScanner.Delimiters) {
        unnoted += count
        guard unnoted >= Self.stretch else { return }
        reset(from: delimiters)
        output.append(contentsOf: "{{\u{1}\(unnoted)}}".utf8)
        set(delimiters)
        unnoted = 0
    }

    /// "A partial does not inherit the delimiters of its parent."
    private mutating func insert(_ partial: TemplateFile, within delimiters: TagScanner.Delimiters)
        throws(TemplateError)
    {
        reset(from: delimiters)
        try insert(partial)
        set(delimiters)
    }

    private mutating func set(_ delimiters: TagScanner.Delimiters) {
        guard delimiters != .standard else { return }
        output.append(contentsOf: "{{=".utf8)
        output.append(contentsOf: delimiters.open)
        output.append(0x20)
        output.append(contentsOf: delimiters.close)
        output.append(contentsOf: "=}}".utf8)
    }

    private mutating func reset(from delimiters: TagScanner.Delimiters) {
        guard delimiters != .standard else { return }
        output.append(contentsOf: delimiters.open)
        output.append(contentsOf: "={{ }}=".utf8)
        output.append(contentsOf: delimiters.close)
    }
}
