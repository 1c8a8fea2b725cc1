extension App {
    /// Reads and checks a manifest.
    ///
    /// `file` is what errors call it; `contracts` are those an embedded base
    /// may name, any if nil. Throws everything wrong, each with its line and
    /// its mend.
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
        let mistakes = ManifestDiagnostics()
        let node = ManifestNode(file: file, document: document, diagnostics: mistakes)
        let body = node.attempt { node throws(ManifestError) in try Contents(id: id, node) }
        if let body, !mistakes.hasUnreadablePart {
            ManifestCheck(
                App(body), file: file, document: document, diagnostics: mistakes,
                contracts: contracts
            ).run()
        }
        if let error = mistakes.combinedError { throw error }
        guard let body else { preconditionFailure("a manifest that cannot be read has mistakes") }
        self = App(body)
    }
}
