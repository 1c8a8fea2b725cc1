/// Writes changed tokens into an app's own style sheet, and nothing else: not
/// a byte of the rest.
struct DesignTokensWriter {
    let tokens: DesignTokens
    /// By name: what the value is to be.
    let edits: [String: String]

    /// Why a value cannot be saved, by name; empty if all can.
    var errors: [String: String] {
        edits.reduce(into: [:]) { refusals, change in
            let reason =
                CSSValueText.validationError(change.value)
                ?? (tokens[change.key].map(tokens.canEdit) == true
                    ? nil : "it cannot be changed here")
                ?? resolutionError(change.key, change.value)
            if let reason { refusals[change.key] = reason }
        }
    }

    /// The new content of each file, by its path; a token that another sheet
    /// says is said anew in the app's own.
    ///
    /// Nil where what was written would not be read as it was meant.
    func editedFiles() -> [(sheet: AppStyleSheets.SheetFile, bytes: [UInt8])]? {
        var replacements: [String: [(range: Range<Int>, text: String)]] = [:]
        var added: [(name: String, value: String)] = []
        for token in tokens.tokens {
            guard let value = edits[token.name]?.whitespaceCollapsed else { continue }
            if token.isAppOwned {
                replacements[token.file, default: []].append((token.valueRange, value))
            } else {
                added.append((token.name, value))
            }
        }
        if !added.isEmpty, let main = tokens.sheets.mainSheet {
            replacements[main.displayPath, default: []].append(insertion(of: added, into: main))
        }
        var files: [(sheet: AppStyleSheets.SheetFile, bytes: [UInt8])] = []
        for sheet in tokens.sheets.sheets {
            guard let edits = replacements[sheet.displayPath] else { continue }
            let bytes = sheet.styleSheet.replacing(edits)
            guard readsBack(bytes, as: sheet) else { return nil }
            files.append((sheet, bytes))
        }
        return files
    }

    /// A value must come to the kind it was: a colour stays one, a length
    /// too, though it may be 0.
    private func resolutionError(_ name: String, _ value: String) -> String? {
        guard let token = tokens[name] else { return nil }
        for isDark in [false, true] {
            var after = tokens.properties(isDark: isDark)
            let before = after.resolve(token.savedValue)
            after.values[name] = value
            guard let resolved = after.resolve(value) else {
                if value.contains("light-dark("), !value.contains(",") {
                    return "light-dark() takes two colours, with a comma between them"
                }
                return "it asks for a property that is not there, or for itself"
            }
            guard let before, let word = TokenValue(before).kind.singularName else { continue }
            let value = TokenValue(resolved)
            let isZero = value == .number(0) && TokenValue(before).kind == .length
            if value.kind != TokenValue(before).kind, !isZero { return "it is no \(word)" }
        }
        return nil
    }

    /// Further declarations at the end of the sheet's first root.
    private func insertion(
        of added: [(name: String, value: String)], into sheet: AppStyleSheets.SheetFile
    ) -> (
        range: Range<Int>, text: String
    ) {
        let lines = added.map { "\($0.name): \($0.value);" }
        let bytes = sheet.styleSheet.bytes
        guard
            let root = sheet.styleSheet.rules.first(where: {
                $0.selector == ":root" && $0.conditions.isEmpty
            })
        else {
            let text = "\n:root {\n" + lines.map { "  \($0)\n" }.joined() + "}\n"
            return (bytes.count..<bytes.count, text)
        }
        var end = root.blockEnd
        while end > 0, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[end - 1]) { end -= 1 }
        let isClosed = end > 0 && [UInt8(ascii: ";"), UInt8(ascii: "{")].contains(bytes[end - 1])
        let isLong = bytes[end..<root.blockEnd].contains(0x0A)
        let text = lines.map { (isLong ? "\n  " : " ") + $0 }.joined()
        return (end..<end, (isClosed ? "" : ";") + text)
    }

    /// Whether a sheet, read again, has the values that were asked for and
    /// every rule it had.
    private func readsBack(_ bytes: [UInt8], as sheet: AppStyleSheets.SheetFile) -> Bool {
        guard let read = try? StyleSheet(bytes) else { return false }
        let had = sheet.styleSheet.rules.map(\.selector)
        let has = read.rules.map(\.selector)
        guard has.starts(with: had), has.count <= had.count + 1 else { return false }
        return edits.allSatisfy { name, value in
            let isHere =
                tokens[name]?.file == sheet.displayPath
                || tokens[name]?.isAppOwned == false
                    && sheet.displayPath == tokens.sheets.mainSheet?.displayPath
            return !isHere
                || read.rules.contains { rule in
                    rule.declarations.contains {
                        $0.name == name && $0.value == value.whitespaceCollapsed
                    }
                }
        }
    }
}

extension TokenValue.Kind {
    /// Of whatever can be told from something else.
    fileprivate var singularName: String? {
        switch self {
        case .color: "colour"
        case .length: "length"
        case .font: "list of fonts"
        case .gradient: "gradient"
        case .shadow: "shadow"
        case .other: nil
        }
    }
}
