import Web

/// Reads, compares and writes an app's style sheets in one operation.
extension DesignTokensWriter {
    /// The result of a save, with the sheets as read before it.
    struct SaveResult: Sendable {
        var sheets: AppStyleSheets
        /// The submitted values of known tokens.
        var edits: [String: String]
        var errors: [String: String]
        var outcome: Outcome
    }

    enum Outcome: Sendable {
        /// The names of the written files.
        case saved([String])
        /// Some values are invalid; see `errors`.
        case invalid
        /// The sheets have changed since the page was rendered.
        case stale
        /// The written text would not be parsed as intended.
        case misread
        /// This file could not be written; those in `saved` were.
        case writeFailed(String, saved: [String])
    }

    /// Writes `edits` to an app's sheets if these still have `digest`. The caller must prevent
    /// concurrent saves.
    static func save(
        _ edits: [String: String], app: String, _ folders: AppStyleSheets.Folders, digest: String?
    ) -> SaveResult {
        let sheets = AppStyleSheets(app: app, folders: folders)
        let tokens = DesignTokens(sheets)
        let knownEdits = edits.filter { tokens[$0.key] != nil }
        let writer = DesignTokensWriter(tokens: tokens, edits: knownEdits)
        var result = SaveResult(
            sheets: sheets, edits: knownEdits, errors: writer.errors, outcome: .invalid)
        guard result.errors.isEmpty else { return result }
        guard digest == sheets.digest else {
            result.outcome = .stale
            return result
        }
        result.outcome = writer.write()
        return result
    }

    private func write() -> Outcome {
        guard let files = editedFiles() else { return .misread }
        var savedFiles: [String] = []
        for (sheet, bytes) in files {
            guard AtomicWrite.write(bytes, to: sheet.path) else {
                return .writeFailed(sheet.displayPath, saved: savedFiles)
            }
            savedFiles.append(sheet.displayPath)
        }
        return .saved(files.map(\.sheet.fileName))
    }
}
