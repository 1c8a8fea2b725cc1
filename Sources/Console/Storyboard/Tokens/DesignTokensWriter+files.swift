import Web

/// Reading, comparing and writing an app's sheets in one go.
extension DesignTokensWriter {
    /// What came of it, with the sheets as they were found.
    struct SaveResult: Sendable {
        var sheets: AppStyleSheets
        /// Of what was typed, what the sheets know.
        var edits: [String: String]
        var errors: [String: String]
        var outcome: Outcome
    }

    enum Outcome: Sendable {
        /// The files that were written.
        case saved([String])
        /// Some values cannot be: `refusals` has them.
        case invalid
        /// The sheets are other ones than the page had read.
        case stale
        /// What was written would not be read as it was meant.
        case misread
        /// This one could not be written; those before it were.
        case writeFailed(String, saved: [String])
    }

    /// Writes `typed` into an app's sheets, if these are still those with
    /// `digest`. Nothing else may save meanwhile.
    static func save(
        _ typed: [String: String], app: String, _ folders: AppStyleSheets.Folders, digest: String?
    ) -> SaveResult {
        let sheets = AppStyleSheets(app: app, folders: folders)
        let tokens = DesignTokens(sheets)
        let changes = typed.filter { tokens[$0.key] != nil }
        let saving = DesignTokensWriter(tokens: tokens, edits: changes)
        var made = SaveResult(
            sheets: sheets, edits: changes, errors: saving.errors, outcome: .invalid)
        guard made.errors.isEmpty else { return made }
        guard digest == sheets.digest else {
            made.outcome = .stale
            return made
        }
        made.outcome = saving.write()
        return made
    }

    private func write() -> Outcome {
        guard let files = editedFiles() else { return .misread }
        var before: [String] = []
        for (sheet, bytes) in files {
            guard AtomicWrite.write(bytes, to: sheet.path) else {
                return .writeFailed(sheet.displayPath, saved: before)
            }
            before.append(sheet.displayPath)
        }
        return .saved(files.map(\.sheet.fileName))
    }
}
