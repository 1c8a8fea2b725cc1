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
        let outline: Outline
        do throws(OutlineParser.Failure) { outline = try OutlineParser.parse(bytes) } catch {
            throw ManifestError(
                file: file, path: "", line: error.line, detail: error.detail, mend: error.mend)
        }
        let mistakes = Mistakes()
        let source = Source(file: file, outline: outline, mistakes: mistakes)
        let body = source.attempt { source throws(ManifestError) in try Body(id: id, source) }
        if let body, !mistakes.isPartLost {
            ManifestCheck(
                App(body), file: file, outline: outline, mistakes: mistakes, contracts: contracts
            ).run()
        }
        if let error = mistakes.error { throw error }
        guard let body else { preconditionFailure("a manifest that cannot be read has mistakes") }
        self = App(body)
    }
}
