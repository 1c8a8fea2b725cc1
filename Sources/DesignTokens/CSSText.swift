import Web

/// Splits the text of a CSS value into functions, arguments and components.
package enum CSSText {
    /// The name and the content if `text` is a single function: `rgb` and `0 0 0` of `rgb(0 0 0)`.
    package static func function(_ text: String) -> (name: String, inside: String)? {
        guard let open = text.firstIndex(of: "("), open != text.startIndex,
            text[..<open].allSatisfy(isNamePart),
            let close = closingBracket(of: open, in: text), text[close...].count == 1
        else { return nil }
        let inside = text[text.index(after: open)..<close]
        return (text[..<open].lowercased(), String(inside))
    }

    /// Whether the character may be part of a name or a number.
    static func isNamePart(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "-" || character == "_"
    }

    /// Splits at commas outside brackets and strings.
    static func arguments(_ text: String) -> [String] {
        split(text) { $0 == "," }.map(\.whitespaceCollapsed)
    }

    /// Splits at white space outside brackets and strings.
    static func components(_ text: String) -> [String] {
        split(text, \.isWhitespace).filter { !$0.isEmpty }
    }

    /// The custom properties a value references with `var(…)`, without duplicates.
    static func referencedProperties(in value: String) -> [String] {
        var names: [String] = []
        for part in value.split(separator: "var(", omittingEmptySubsequences: false).dropFirst() {
            let name = String(part.drop(while: \.isWhitespace).prefix(while: isNamePart))
            if name.hasPrefix("--"), !names.contains(name) { names.append(name) }
        }
        return names
    }

    /// Why `value` is not allowed as the value of a custom property; nil if it is.
    ///
    /// The value must end where the declaration ends: nothing in it may close the declaration, its
    /// block, a comment or a style element.
    static func validationError(_ value: String) -> String? {
        let text = value.whitespaceCollapsed
        guard !text.isEmpty else { return "empty value" }
        guard text.utf8.count <= 2_000 else { return "longer than 2,000 characters" }
        for mark in [";", "{", "}", "/*", "*/", "<", "!", "\\", "@"] where text.contains(mark) {
            return "must not contain \(mark)"
        }
        let isControl = { (scalar: Unicode.Scalar) in
            scalar.value < 0x20 && !["\n", "\r", "\t"].contains(scalar) || scalar.value == 0x7F
        }
        guard !value.unicodeScalars.contains(where: isControl) else {
            return "contains a control character"
        }
        for mark in "\"'" where !text.count(where: { $0 == mark }).isMultiple(of: 2) {
            return "unterminated string"
        }
        var depth = 0
        for character in text where depth >= 0 {
            depth += character == "(" ? 1 : character == ")" ? -1 : 0
        }
        return depth == 0 ? nil : "unbalanced brackets"
    }

    // MARK: Nesting

    /// The nesting of a position in a value.
    private struct Nesting {
        private var depth = 0
        private var quote: Character?

        /// Whether the position is outside brackets and strings.
        var isOutside: Bool { depth == 0 && quote == nil }

        mutating func consume(_ character: Character) {
            switch character {
            case quote: quote = nil
            case _ where quote != nil: break
            case "\"", "'": quote = character
            case "(": depth += 1
            case ")": depth -= 1
            default: break
            }
        }
    }

    private static func split(_ text: String, _ isSeparator: (Character) -> Bool) -> [String] {
        var parts = [""]
        var nesting = Nesting()
        for character in text {
            if nesting.isOutside, isSeparator(character) {
                parts.append("")
            } else {
                nesting.consume(character)
                parts[parts.count - 1].append(character)
            }
        }
        return parts
    }

    /// The bracket that closes the one at `open`.
    static func closingBracket(of open: String.Index, in text: String) -> String.Index? {
        var nesting = Nesting()
        return text.indices[open...].first { index in
            nesting.consume(text[index])
            return nesting.isOutside
        }
    }
}
