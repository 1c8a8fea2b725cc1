/// Puts the text of partials where they are named, once, at parsing.
///
/// kainjow parses a partial anew each time a rendering meets it. Inserting
/// its text gives the same result (it renders partials into the same line),
/// except for one that contains itself: such a one is left to the library.
struct Flattening {
    /// More is a mistake: partials that name each other twice double.
    private static let limit = 4 << 20

    private let files: [String: TemplateFile]
    private var output: [UInt8] = []
    /// The partials under way, outermost first.
    private var stack: [String] = []
    /// Those that contain themselves.
    private var recursive: Set<String> = []
    private var names: Set<String> = []

    /// The text to parse, and the partials only a rendering can expand.
    struct Result {
        var text: [UInt8]
        var partials: [String: [UInt8]]
        /// Every name of a model either mentions, at whatever depth.
        var names: Set<String>
    }

    static func flatten(
        _ file: TemplateFile, files: [String: TemplateFile]
    ) throws(TemplateError) -> Result {
        var start = Flattening(files: files)
        try start.insert(file)
        var partials: [String: [UInt8]] = [:]
        var waiting = start.recursive
        while let name = waiting.popFirst() {
            guard partials[name] == nil, let file = files[name] else {
                continue
            }
            var next = Flattening(files: files)
            try next.insert(file)
            partials[name] = next.output
            waiting.formUnion(next.recursive)
            start.names.formUnion(next.names)
        }
        return Result(
            text: start.output, partials: partials, names: start.names)
    }

    private init(files: [String: TemplateFile]) { self.files = files }

    private mutating func insert(_ file: TemplateFile) throws(TemplateError) {
        if let problem = file.problem { throw problem }
        stack.append(file.name)
        defer { stack.removeLast() }
        var scanner = TagScanner(file.source)
        while let piece = scanner.next() {
            switch piece {
            case .text(let range):
                Literal.append(file.source[range], to: &output)
            case .tag(let name, let range):
                for part in name.split(separator: ".") {
                    names.insert(String(part))
                }
                output.append(contentsOf: file.source[range])
            case .partial(let name, let range):
                guard !stack.contains(name) else {
                    recursive.insert(name)
                    output.append(contentsOf: file.source[range])
                    continue
                }
                guard let partial = files[name] else {
                    throw TemplateError(
                        file: file.path, source: file.source,
                        offset: range.lowerBound,
                        detail: "there is no template \"\(name)\"")
                }
                try insert(partial, within: scanner.delimiters)
            }
            guard output.count <= Self.limit else {
                throw TemplateError(
                    file: file.path, line: nil, column: nil,
                    detail: "with its partials it is larger than 4 MiB")
            }
        }
        // "Delimiters set in a partial do not affect the parent template."
        reset(from: scanner.delimiters)
    }

    /// "A partial does not inherit the delimiters of its parent."
    private mutating func insert(
        _ partial: TemplateFile, within delimiters: TagScanner.Delimiters
    ) throws(TemplateError) {
        reset(from: delimiters)
        try insert(partial)
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
