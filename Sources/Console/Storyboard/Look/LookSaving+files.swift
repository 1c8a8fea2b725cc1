import Web

/// Reading, comparing and writing an app's sheets in one go.
extension LookSaving {
    /// What came of it, with the sheets as they were found.
    struct Made: Sendable {
        var sheets: AppSheets
        /// Of what was typed, what the sheets know.
        var changes: [String: String]
        var refusals: [String: String]
        var outcome: Outcome
    }

    enum Outcome: Sendable {
        /// The files that were written.
        case saved([String])
        /// Some values cannot be: `refusals` has them.
        case refused
        /// The sheets are other ones than the page had read.
        case stale
        /// What was written would not be read as it was meant.
        case unmeant
        /// This one could not be written; those before it were.
        case unwritten(String, before: [String])
    }

    /// Writes `typed` into an app's sheets, if these are still those with
    /// `digest`. Nothing else may save meanwhile.
    static func save(
        _ typed: [String: String], app: String, _ folders: AppSheets.Folders, digest: String?
    ) -> Made {
        let sheets = AppSheets(app: app, folders: folders)
        let tokens = DesignTokens(sheets)
        let changes = typed.filter { tokens[$0.key] != nil }
        let saving = LookSaving(tokens: tokens, changes: changes)
        var made = Made(
            sheets: sheets, changes: changes, refusals: saving.refusals, outcome: .refused)
        guard made.refusals.isEmpty else { return made }
        guard digest == sheets.digest else {
            made.outcome = .stale
            return made
        }
        made.outcome = saving.write()
        return made
    }

    private func write() -> Outcome {
        guard let files = files() else { return .unmeant }
        var before: [String] = []
        for (sheet, bytes) in files {
            guard FileReplacement.write(bytes, to: sheet.path) else {
                return .unwritten(sheet.name, before: before)
            }
            before.append(sheet.name)
        }
        return .saved(files.map(\.sheet.file))
    }
}
