import Web

/// Splits the text of a CSS value into functions, arguments and components.
enum CSSValueText {
    /// The name and the content if `text` is a single function: `rgb` and `0 0 0` of `rgb(0 0 0)`.
    static func function(_ text: String) -> (name: String, inside: String)? {
        guard text.hasSuffix(")"), let open = text.firstIndex(of: "(") else { return nil }
        let name = text[..<open]
        guard !name.isEmpty, name.allSatisfy(isNamePart),
            closingBracket(of: open, in: text) == text.index(before: text.endIndex)
        else { return nil }
        let inside = text[text.index(after: open)...].dropLast()
        return (name.lowercased(), String(inside))
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

    private static func split(_ text: String, _ isSeparator: (Character) -> Bool) -> [String] {
        var parts = [""]
        var depth = 0
        var quote: Character?
        for character in text {
            if let openQuote = quote {
                if character == openQuote { quote = nil }
            } else if character == "\"" || character == "'" {
                quote = character
            } else if character == "(" {
                depth += 1
            } else if character == ")" {
                depth -= 1
            } else if depth == 0, isSeparator(character) {
                parts.append("")
                continue
            }
            parts[parts.count - 1].append(character)
        }
        return parts
    }

    /// The bracket that closes the one at `open`.
    static func closingBracket(of open: String.Index, in text: String) -> String.Index? {
        var depth = 0
        var quote: Character?
        for index in text.indices[open...] {
            let character = text[index]
            if let openQuote = quote {
                if character == openQuote { quote = nil }
                continue
            }
            switch character {
            case "\"", "'": quote = character
            case "(": depth += 1
            case ")":
                depth -= 1
                if depth == 0 { return index }
            default: break
            }
        }
        return nil
    }

    /// The custom properties a value references with `var(…)`, without duplicates.
    static func referencedProperties(in value: String) -> [String] {
        var names: [String] = []
        for part in value.split(separator: "var(").dropFirst(value.hasPrefix("var(") ? 0 : 1) {
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
        guard
            value.unicodeScalars.allSatisfy({
                $0.value >= 0x20 && $0.value != 0x7F || "\n\r\t".unicodeScalars.contains($0)
            })
        else { return "contains a control character" }
        let quotes = ["\"", "'"].map { mark in text.count { String($0) == mark } }
        guard quotes.allSatisfy({ $0.isMultiple(of: 2) }) else { return "unterminated string" }
        var depth = 0
        for character in text {
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            if depth < 0 { break }
        }
        guard depth == 0 else { return "unbalanced brackets" }
        return nil
    }
}
