extension App {
    /// Reads and checks a manifest.
    ///
    /// `file` is what errors call it. Throws the first thing wrong, with its
    /// line and its mend.
    package init(
        id: String, file: String, text: String
    ) throws(ManifestError) {
        try self.init(id: id, file: file, bytes: Array(text.utf8))
    }

    init(
        id: String, file: String, bytes: [UInt8]
    ) throws(ManifestError) {
        let outline: Outline
        do throws(OutlineParser.Failure) {
            outline = try OutlineParser.parse(bytes)
        } catch {
            throw ManifestError(
                file: file, path: "", line: error.line, detail: error.detail,
                mend: error.mend)
        }
        let source = Source(file: file, outline: outline, line: outline.line)
        let app = App(try Body(id: id, source))
        try ManifestCheck(app, file: file, outline: outline).run()
        self = app
    }
}
