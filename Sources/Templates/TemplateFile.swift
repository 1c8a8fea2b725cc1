import Core

/// One template as it lies on the disk: its bytes and what is wrong with it.
struct TemplateFile: Sendable {
    /// The path under its folder without `.mustache`, prefix included.
    let name: String
    let path: String
    let status: FileStatus
    let source: [UInt8]
    /// Set if it does not parse by itself.
    let parseError: TemplateError?

    /// The library makes a value of some hundred bytes of every blank.
    private static let maxBytes = 256 << 10

    /// Reads and parses the file.
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
        // Valid UTF-8 leaves the byte values free that `Literal` needs.
        guard String(validating: source, as: UTF8.self) != nil else {
            return TemplateError(path, "the file is not UTF-8 text")
        }
        // Before the library sees it: its calls go as deep as the sections.
        if let place = SectionNesting(source).firstSection(deeperThan: SectionNesting.maxDepth) {
            return TemplateError(
                file: path, source: source, offset: place,
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
