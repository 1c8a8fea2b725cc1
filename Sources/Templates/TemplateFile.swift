import Core

/// A template file's bytes and parse error.
struct TemplateFile: Sendable {
    /// The path under its folder without `.mustache`, prefix included.
    let name: String
    let path: String
    let status: FileStatus
    let source: [UInt8]
    /// Set if the file does not parse by itself.
    let parseError: TemplateError?

    /// The library allocates a value of some hundred bytes for every blank.
    private static let maxBytes = 256 << 10

    init(name: String, _ entry: TemplateFinder.Entry) {
        self.name = name
        path = entry.path
        status = entry.status
        do throws(FolderReader.ReadError) {
            source = try FolderReader.read(entry.file, in: entry.folder, atMost: Self.maxBytes)
            parseError = Self.check(source, path: path)
        } catch {
            source = []
            parseError = TemplateError(path, "\(error)")
        }
    }

    private static func check(_ source: [UInt8], path: String) -> TemplateError? {
        // Valid UTF-8 never contains the byte values that `WhitespaceMask` uses.
        guard String(validating: source, as: UTF8.self) != nil else {
            return TemplateError(path, "the file is not UTF-8 text")
        }
        // Checked before the library parses it, because the library recurses once per section
        // level.
        if let offset = SectionNesting(source).firstSection(deeperThan: SectionNesting.maxDepth) {
            return TemplateError(
                file: path, source: source, offset: offset,
                detail: "sections are nested more than \(SectionNesting.maxDepth) deep")
        }
        do {
            _ = try ParsedTemplate(source)
            return nil
        } catch {
            return TemplateError(
                file: path, source: source, offset: error.offset, detail: error.detail)
        }
    }
}

/// The nesting depth of a template's sections.
///
/// The library parses, renders and frees sections recursively, so depth costs stack.
struct SectionNesting {
    private let source: [UInt8]

    /// For a template with its partials inlined.
    static let maxDepth = 64
    /// For a partial that contains itself, which the library expands up to a hundred times
    /// recursively.
    static let maxRecursiveDepth = 8

    init(_ source: [UInt8]) { self.source = source }

    /// The offset of the first section nested deeper than `limit`.
    func firstSection(deeperThan limit: Int) -> Int? {
        var scanner = TagScanner(source)
        var depth = 0
        while let piece = scanner.next() {
            switch piece {
            case .openSection(_, let range):
                depth += 1
                if depth > limit { return range.lowerBound }
            case .closeSection: depth = max(0, depth - 1)
            case .text, .partial, .tag: break
            }
        }
        return nil
    }
}
