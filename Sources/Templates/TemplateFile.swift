import Surroundings

/// One template as it lies on the disk: its bytes and what is wrong with it.
struct TemplateFile: Sendable {
    /// The path under its folder without `.mustache`, prefix included.
    let name: String
    let path: String
    let facts: FileFacts
    let source: [UInt8]
    /// Set if it does not parse by itself.
    let problem: TemplateError?

    /// The library makes a value of some hundred bytes of every blank.
    private static let largest = 256 << 10

    /// Reads and parses the file.
    init(name: String, _ entry: Disk.Entry) {
        self.name = name
        path = entry.path
        facts = entry.facts
        do throws(FolderFile.Refusal) {
            source = try FolderFile.read(entry.file, in: entry.folder, atMost: Self.largest)
            problem = Self.check(source, path: path)
        } catch {
            source = []
            problem = TemplateError(path, "\(error)")
        }
    }

    private static func check(_ source: [UInt8], path: String) -> TemplateError? {
        // Valid UTF-8 leaves the byte values free that `Literal` needs.
        guard String(validating: source, as: UTF8.self) != nil else {
            return TemplateError(path, "the file is not UTF-8 text")
        }
        // Before the library sees it: its calls go as deep as the sections.
        if let place = Nesting(source).beyond(Nesting.deepest) {
            return TemplateError(
                file: path, source: source, offset: place,
                detail: "sections stand more than \(Nesting.deepest) deep")
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
