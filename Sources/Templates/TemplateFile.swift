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
                detail: "sections stand more than \(SectionNesting.maxDepth) deep")
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
