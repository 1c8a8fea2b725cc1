/// A value's text taken apart: functions, their arguments, words.
enum CSSValueText {
    /// The name and the inside of `text` where it is one function and nothing
    /// else: `rgb` and `0 0 0` of `rgb(0 0 0)`.
    static func function(_ text: String) -> (name: String, inside: String)? {
        guard text.hasSuffix(")"), let open = text.firstIndex(of: "(") else { return nil }
        let name = text[..<open]
        guard !name.isEmpty, name.allSatisfy(isNamePart),
            closingBracket(of: open, in: text) == text.index(before: text.endIndex)
        else { return nil }
        let inside = text[text.index(after: open)...].dropLast()
        return (name.lowercased(), String(inside))
    }

    /// Whether a name or a number may go on with it.
    static func isNamePart(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "-" || character == "_"
    }

    /// What stands between commas that are in no bracket and no string.
    static func arguments(_ text: String) -> [String] {
        split(text) { $0 == "," }.map(\.whitespaceCollapsed)
    }

    /// What stands between spaces that are in no bracket and no string.
    static func components(_ text: String) -> [String] {
        split(text, \.isWhitespace).filter { !$0.isEmpty }
    }

    private static func split(_ text: String, _ divides: (Character) -> Bool) -> [String] {
        var parts = [""]
        var depth = 0
        var quote: Character?
        for character in text {
            if let opened = quote {
                if character == opened { quote = nil }
            } else if character == "\"" || character == "'" {
                quote = character
            } else if character == "(" {
                depth += 1
            } else if character == ")" {
                depth -= 1
            } else if depth == 0, divides(character) {
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
            if let opened = quote {
                if character == opened { quote = nil }
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

    /// The custom properties a value asks for with `var(…)`, each once.
    static func referencedProperties(in value: String) -> [String] {
        var names: [String] = []
        for part in value.split(separator: "var(").dropFirst(value.hasPrefix("var(") ? 0 : 1) {
            let name = String(part.drop(while: \.isWhitespace).prefix(while: isNamePart))
            if name.hasPrefix("--"), !names.contains(name) { names.append(name) }
        }
        return names
    }

    /// Why `value` may not stand as a custom property's, nil if it may.
    ///
    /// It must end where the declaration ends: nothing in it may close the
    /// declaration, its block, a comment or a style element.
    static func validationError(_ value: String) -> String? {
        let text = value.whitespaceCollapsed
        guard !text.isEmpty else { return "it is empty" }
        guard text.utf8.count <= 2_000 else { return "it is longer than 2,000 characters" }
        for mark in [";", "{", "}", "/*", "*/", "<", "!", "\\", "@"] where text.contains(mark) {
            return "a value holds no \(mark)"
        }
        guard
            value.unicodeScalars.allSatisfy({
                $0.value >= 0x20 && $0.value != 0x7F || "\n\r\t".unicodeScalars.contains($0)
            })
        else { return "it holds a control character" }
        let quotes = ["\"", "'"].map { mark in text.count { String($0) == mark } }
        guard quotes.allSatisfy({ $0.isMultiple(of: 2) }) else { return "a quote is never closed" }
        var depth = 0
        for character in text {
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            if depth < 0 { break }
        }
        guard depth == 0 else { return "its brackets do not match" }
        return nil
    }
}
