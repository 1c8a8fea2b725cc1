/// One template as it lies on the disk: its bytes and what is wrong with it.
struct TemplateFile: Sendable {
    /// The path under its folder without `.mustache`, prefix included.
    let name: String
    let path: String
    let stamp: FileStamp
    let source: [UInt8]
    /// Set if it does not parse by itself.
    let problem: TemplateError?

    /// Reads and parses the file.
    init(name: String, path: String, stamp: FileStamp) {
        self.name = name
        self.path = path
        self.stamp = stamp
        guard let source = Disk.read(path) else {
            self.source = []
            problem = TemplateError(
                file: path, line: nil, column: nil,
                detail: "the file cannot be read")
            return
        }
        self.source = source
        problem = Self.check(source, path: path)
    }

    private static func check(_ source: [UInt8], path: String)
        -> TemplateError?
    {
        // Valid UTF-8 leaves the byte values free that `Literal` needs.
        guard String(validating: source, as: UTF8.self) != nil else {
            return TemplateError(
                file: path, line: nil, column: nil,
                detail: "the file is not UTF-8 text")
        }
        do {
            _ = try ParsedTemplate(source)
            return nil
        } catch {
            return TemplateError(
                file: path, source: source, offset: error.offset,
                detail: error.detail)
        }
    }
}
