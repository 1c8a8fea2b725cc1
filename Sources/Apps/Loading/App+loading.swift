extension App {
    /// Reads and checks a manifest.
    ///
    /// `file` is the name used in errors; `contracts` are those an embedded base may name, any if
    /// nil. Throws every error found, each with its line and fix.
    package init(id: String, file: String, text: String, contracts: [String]? = nil)
        throws(ManifestError)
    { try self.init(id: id, file: file, bytes: Array(text.utf8), contracts: contracts) }

    init(id: String, file: String, bytes: [UInt8], contracts: [String]? = nil) throws(ManifestError)
    {
        let document: JSON5Document
        do throws(JSON5Parser.Failure) { document = try JSON5Parser.parse(bytes) } catch {
            throw ManifestError(
                file: file, path: "", line: error.line, detail: error.detail, fix: error.fix)
        }
        let diagnostics = ManifestDiagnostics()
        let node = ManifestNode(file: file, document: document, diagnostics: diagnostics)
        let contents = node.attempt { node throws(ManifestError) in try Contents(id: id, node) }
        if let contents, !diagnostics.hasUnreadablePart {
            ManifestCheck(
                App(contents), file: file, document: document, diagnostics: diagnostics,
                contracts: contracts
            ).run()
        }
        if let error = diagnostics.combinedError { throw error }
        guard let contents else {
            preconditionFailure("an unreadable manifest has errors")
        }
        self = App(contents)
    }
}
