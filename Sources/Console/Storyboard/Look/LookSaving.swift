/// Writes changed tokens into an app's own style sheet, and nothing else: not
/// a byte of the rest.
struct LookSaving {
    let tokens: DesignTokens
    /// By name: what the value is to be.
    let changes: [String: String]

    /// Why a value cannot be saved, by name; empty if all can.
    var refusals: [String: String] {
        changes.reduce(into: [:]) { refusals, change in
            let why =
                CSSText.refusal(change.value)
                ?? (tokens[change.key].map(tokens.canChange) == true
                    ? nil : "it cannot be changed here") ?? unresolved(change.key, change.value)
            if let why { refusals[change.key] = why }
        }
    }

    /// The new content of each file, by its path; a token that another sheet
    /// says is said anew in the app's own.
    ///
    /// Nil where what was written would not be read as it was meant.
    func files() -> [(sheet: AppSheets.Sheet, bytes: [UInt8])]? {
        var edits: [String: [(range: Range<Int>, text: String)]] = [:]
        var added: [(name: String, value: String)] = []
        for token in tokens.tokens {
            guard let value = changes[token.name]?.trimmed else { continue }
            if token.isOwn {
                edits[token.file, default: []].append((token.range, value))
            } else {
                added.append((token.name, value))
            }
        }
        if !added.isEmpty, let main = tokens.sheets.main {
            edits[main.name, default: []].append(addition(added, to: main))
        }
        var files: [(sheet: AppSheets.Sheet, bytes: [UInt8])] = []
        for sheet in tokens.sheets.sheets {
            guard let edits = edits[sheet.name] else { continue }
            let bytes = sheet.sheet.replacing(edits)
            guard isMeant(bytes, in: sheet) else { return nil }
            files.append((sheet, bytes))
        }
        return files
    }

    /// A value must come to the kind it was: a colour stays one, a length
    /// too, though it may be 0.
    private func unresolved(_ name: String, _ value: String) -> String? {
        guard let token = tokens[name] else { return nil }
        for isDark in [false, true] {
            var after = tokens.properties(isDark: isDark)
            let before = after.resolved(token.saved)
            after.values[name] = value
            guard let resolved = after.resolved(value) else {
                if value.contains("light-dark("), !value.contains(",") {
                    return "light-dark() takes two colours, with a comma between them"
                }
                return "it asks for a property that is not there, or for itself"
            }
            guard let before, let word = TokenValue(before).kind.word else { continue }
            let value = TokenValue(resolved)
            let isZero = value == .number(0) && TokenValue(before).kind == .length
            if value.kind != TokenValue(before).kind, !isZero { return "it is no \(word)" }
        }
        return nil
    }

    /// Further declarations at the end of the sheet's first root.
    private func addition(_ added: [(name: String, value: String)], to sheet: AppSheets.Sheet) -> (
        range: Range<Int>, text: String
    ) {
        let lines = added.map { "\($0.name): \($0.value);" }
        let bytes = sheet.sheet.bytes
        guard
            let root = sheet.sheet.rules.first(where: {
                $0.selector == ":root" && $0.conditions.isEmpty
            })
        else {
            let text = "\n:root {\n" + lines.map { "  \($0)\n" }.joined() + "}\n"
            return (bytes.count..<bytes.count, text)
        }
        var end = root.end
        while end > 0, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[end - 1]) { end -= 1 }
        let isClosed = end > 0 && [UInt8(ascii: ";"), UInt8(ascii: "{")].contains(bytes[end - 1])
        let isLong = bytes[end..<root.end].contains(0x0A)
        let text = lines.map { (isLong ? "\n  " : " ") + $0 }.joined()
        return (end..<end, (isClosed ? "" : ";") + text)
    }

    /// Whether a sheet, read again, has the values that were asked for and
    /// every rule it had.
    private func isMeant(_ bytes: [UInt8], in sheet: AppSheets.Sheet) -> Bool {
        guard let read = try? StyleSheet(bytes) else { return false }
        let had = sheet.sheet.rules.map(\.selector)
        let has = read.rules.map(\.selector)
        guard has.starts(with: had), has.count <= had.count + 1 else { return false }
        return changes.allSatisfy { name, value in
            let isHere =
                tokens[name]?.file == sheet.name
                || tokens[name]?.isOwn == false && sheet.name == tokens.sheets.main?.name
            return !isHere
                || read.rules.contains { rule in
                    rule.declarations.contains { $0.name == name && $0.value == value.trimmed }
                }
        }
    }
}

extension TokenValue.Kind {
    /// Of whatever can be told from something else.
    fileprivate var word: String? {
        switch self {
        case .colour: "colour"
        case .length: "length"
        case .font: "list of fonts"
        case .gradient: "gradient"
        case .shadow: "shadow"
        case .other: nil
        }
    }
}
