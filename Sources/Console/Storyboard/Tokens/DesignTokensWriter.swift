import Web

/// Writes edited tokens to an app's own style sheet; all other bytes stay unchanged.
struct DesignTokensWriter {
    let tokens: DesignTokens
    /// The new values by token name.
    let edits: [String: String]

    /// Why values cannot be saved, by token name; empty if all can.
    var errors: [String: String] {
        edits.reduce(into: [:]) { reasons, edit in
            let reason =
                CSSValueText.validationError(edit.value)
                ?? (tokens[edit.key].map(tokens.canEdit) == true
                    ? nil : "not editable here")
                ?? resolutionError(edit.key, edit.value)
            if let reason { reasons[edit.key] = reason }
        }
    }

    /// The new content of each file that changes. A token of a shared sheet is overridden in the
    /// app's own.
    ///
    /// Nil if the written text would not be parsed as intended.
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

    /// Requires the value to resolve to the same kind as before: a color stays a color, and a
    /// length a length or 0.
    private func resolutionError(_ name: String, _ value: String) -> String? {
        guard let token = tokens[name] else { return nil }
        for isDark in [false, true] {
            var properties = tokens.properties(isDark: isDark)
            let savedValue = properties.resolve(token.savedValue)
            properties.values[name] = value
            guard let resolved = properties.resolve(value) else {
                if value.contains("light-dark("), !value.contains(",") {
                    return "light-dark() takes two colors separated by a comma"
                }
                return "references an undefined property or itself"
            }
            guard let savedValue, let kindName = TokenValue(savedValue).kind.singularName else {
                continue
            }
            let value = TokenValue(resolved)
            let isZero = value == .number(0) && TokenValue(savedValue).kind == .length
            if value.kind != TokenValue(savedValue).kind, !isZero { return "not a \(kindName)" }
        }
        return nil
    }

    /// Declarations to add at the end of the sheet's first root rule.
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
        let endsDeclaration =
            end > 0 && [UInt8(ascii: ";"), UInt8(ascii: "{")].contains(bytes[end - 1])
        let isMultiline = bytes[end..<root.blockEnd].contains(0x0A)
        let text = lines.map { (isMultiline ? "\n  " : " ") + $0 }.joined()
        return (end..<end, (endsDeclaration ? "" : ";") + text)
    }

    /// Whether the edited sheet, parsed again, has the edited values and all previous rules.
    private func readsBack(_ bytes: [UInt8], as sheet: AppStyleSheets.SheetFile) -> Bool {
        guard let reparsed = try? StyleSheet(bytes) else { return false }
        let oldSelectors = sheet.styleSheet.rules.map(\.selector)
        let newSelectors = reparsed.rules.map(\.selector)
        guard newSelectors.starts(with: oldSelectors), newSelectors.count <= oldSelectors.count + 1
        else { return false }
        return edits.allSatisfy { name, value in
            let isInSheet =
                tokens[name]?.file == sheet.displayPath
                || tokens[name]?.isAppOwned == false
                    && sheet.displayPath == tokens.sheets.mainSheet?.displayPath
            return !isInSheet
                || reparsed.rules.contains { rule in
                    rule.declarations.contains {
                        $0.name == name && $0.value == value.whitespaceCollapsed
                    }
                }
        }
    }
}

extension TokenValue.Kind {
    /// Nil for the kind of arbitrary values.
    fileprivate var singularName: String? {
        switch self {
        case .color: "color"
        case .length: "length"
        case .font: "list of fonts"
        case .gradient: "gradient"
        case .shadow: "shadow"
        case .other: nil
        }
    }
}
