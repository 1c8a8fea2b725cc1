import Web

/// Writes edited tokens to an app's own style sheets; all other bytes stay unchanged.
package struct DesignTokensWriter {
    let tokens: DesignTokenSet
    /// The new values by token name.
    let edits: [String: String]

    package init(tokens: DesignTokenSet, edits: [String: String]) {
        self.tokens = tokens
        self.edits = edits.filter { tokens[$0.key] != nil }
    }
}

// MARK: - Checking

extension DesignTokensWriter {
    /// Why values cannot be saved, by token name; empty if all can.
    package var errors: [String: String] {
        edits.reduce(into: [:]) { errors, edit in
            guard let token = tokens[edit.key] else { return }
            errors[edit.key] =
                CSSText.validationError(edit.value)
                ?? (tokens.canEdit(token) ? nil : "not editable here")
                ?? resolutionError(token, edit.value)
        }
    }

    /// Requires the value to resolve to the same kind as before: a color stays a color, and a
    /// length a length or 0.
    private func resolutionError(_ token: DesignToken, _ value: String) -> String? {
        for appearance in Appearance.allCases {
            var properties = tokens.properties(appearance)
            let savedValue = properties.resolve(token.savedValue).map(TokenValue.init)
            properties.values[token.name] = value
            guard let newValue = properties.resolve(value).map(TokenValue.init) else {
                return value.contains("light-dark(") && !value.contains(",")
                    ? "light-dark() takes two colors separated by a comma"
                    : "references an undefined property or itself"
            }
            guard let kind = savedValue?.kind, kind != .other, newValue.kind != kind,
                !(kind == .length && newValue == .number(0))
            else { continue }
            return "not a \(kind == .font ? "list of fonts" : kind.rawValue)"
        }
        return nil
    }
}

// MARK: - Writing

extension DesignTokensWriter {
    /// The result of a save, with the sheets as read before it.
    package struct SaveResult: Sendable {
        package let sheets: AppStyleSheets
        /// The submitted values of known tokens.
        package let edits: [String: String]
        package let errors: [String: String]
        package let outcome: Outcome
    }

    /// The result of a save.
    package enum Outcome: Sendable {
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
    package static func save(
        _ edits: [String: String], app: String, _ folders: AppFolders, digest: String?
    ) -> SaveResult {
        let sheets = AppStyleSheets(app: app, folders: folders)
        let writer = DesignTokensWriter(tokens: DesignTokenSet(sheets), edits: edits)
        let errors = writer.errors
        return SaveResult(
            sheets: sheets, edits: writer.edits, errors: errors,
            outcome: !errors.isEmpty ? .invalid : digest != sheets.digest ? .stale : writer.write())
    }

    private func write() -> Outcome {
        let files = tokens.sheets.sheets.compactMap { sheet in
            editedText(of: sheet).map { (sheet: sheet, bytes: $0) }
        }
        guard files.allSatisfy({ readsBack($0.bytes, as: $0.sheet) }) else { return .misread }
        var savedFiles: [String] = []
        for (sheet, bytes) in files {
            guard AtomicWrite.write(bytes, to: sheet.path) else {
                return .writeFailed(sheet.displayPath, saved: savedFiles)
            }
            savedFiles.append(sheet.displayPath)
        }
        return .saved(files.map(\.sheet.fileName))
    }

    /// The edited tokens that a sheet declares. A token of a shared sheet is overridden in the
    /// app's own.
    private func editedTokens(in sheet: AppStyleSheets.SheetFile) -> [DesignToken] {
        let isMain = sheet.displayPath == tokens.sheets.mainSheet?.displayPath
        return tokens.tokens.filter { token in
            edits[token.name] != nil
                && (token.isAppOwned ? token.file == sheet.displayPath : isMain)
        }
    }

    private func newValue(of token: DesignToken) -> String {
        (edits[token.name] ?? token.savedValue).whitespaceCollapsed
    }

    /// The new content of a sheet; nil if it does not change.
    private func editedText(of sheet: AppStyleSheets.SheetFile) -> [UInt8]? {
        let edited = editedTokens(in: sheet)
        guard !edited.isEmpty else { return nil }
        var replacements = edited.filter(\.isAppOwned).map { token in
            (range: token.valueRange, text: newValue(of: token))
        }
        let added = edited.filter { !$0.isAppOwned }.map { "\($0.name): \(newValue(of: $0));" }
        if !added.isEmpty { replacements.append(insertion(of: added, into: sheet.styleSheet)) }
        return sheet.styleSheet.replacing(replacements)
    }

    /// Adds declarations at the end of the sheet's first root rule.
    private func insertion(of declarations: [String], into sheet: StyleSheet) -> (
        range: Range<Int>, text: String
    ) {
        let bytes = sheet.bytes
        let root = sheet.rules.first { $0.selector == ":root" && $0.conditions.isEmpty }
        guard let root else {
            let text = "\n:root {\n" + declarations.map { "  \($0)\n" }.joined() + "}\n"
            return (bytes.count..<bytes.count, text)
        }
        let isSpace = { (byte: UInt8) in [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
        let last = bytes[..<root.blockEnd].lastIndex { !isSpace($0) } ?? 0
        let endsDeclaration = [UInt8(ascii: ";"), UInt8(ascii: "{")].contains(bytes[last])
        let isMultiline = bytes[last..<root.blockEnd].contains(0x0A)
        let text = declarations.map { (isMultiline ? "\n  " : " ") + $0 }.joined()
        return (last + 1..<last + 1, (endsDeclaration ? "" : ";") + text)
    }

    /// Whether the edited sheet, parsed again, has the edited values and all previous rules.
    private func readsBack(_ bytes: [UInt8], as sheet: AppStyleSheets.SheetFile) -> Bool {
        guard let reparsed = try? StyleSheet(bytes) else { return false }
        let oldSelectors = sheet.styleSheet.rules.map(\.selector)
        let newSelectors = reparsed.rules.map(\.selector)
        let declarations = reparsed.rules.flatMap(\.declarations)
        return newSelectors.starts(with: oldSelectors)
            && newSelectors.count <= oldSelectors.count + 1
            && editedTokens(in: sheet).allSatisfy { token in
                declarations.contains { $0.name == token.name && $0.value == newValue(of: token) }
            }
    }
}
