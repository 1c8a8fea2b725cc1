extension JSON5Parser {
    /// Skips white space and comments (JSON5, 7 and 8).
    mutating func skipTrivia() throws(Failure) {
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\n"):
                line += 1
                position += 1
            case UInt8(ascii: " "), 0x09, 0x0B, 0x0C, 0x0D: position += 1
            case UInt8(ascii: "/"): try comment()
            default:
                guard let space = unicodeSpace else { return }
                position += space.count
            }
        }
    }

    /// The non-ASCII white space at the current position.
    private var unicodeSpace: [UInt8]? {
        guard let byte = peek, byte >= 0x80 else { return nil }
        return Self.unicodeSpaces.first(where: bytes[position...].starts)
    }

    /// No-break space, byte order mark, line separators.
    private static let unicodeSpaces: [[UInt8]] = [
        [0xC2, 0xA0], [0xEF, 0xBB, 0xBF], [0xE2, 0x80, 0xA8], [0xE2, 0x80, 0xA9],
    ]

    private mutating func comment() throws(Failure) {
        switch peek(1) {
        case UInt8(ascii: "/"): while let byte = peek, byte != UInt8(ascii: "\n") { position += 1 }
        case UInt8(ascii: "*"):
            let openingLine = line
            position += 2
            while !(peek == UInt8(ascii: "*") && peek(1) == UInt8(ascii: "/")) {
                guard let byte = peek else {
                    throw Failure(
                        line: openingLine, detail: "Unterminated comment", fix: "Close it with */.")
                }
                if byte == UInt8(ascii: "\n") { line += 1 }
                position += 1
            }
            position += 2
        default: throw failure("Unexpected slash", "Start a comment with // or /*.")
        }
    }

    /// A name without quotes: letters, digits, `_` and `$`, no digit first.
    mutating func identifier() throws(Failure) -> String {
        let start = position
        while let byte = peek, isIdentifierByte(byte, first: position == start), unicodeSpace == nil
        { position += 1 }
        let word = bytes[start..<position]
        guard !word.isEmpty, let name = String(validating: word, as: UTF8.self) else {
            let unexpected = peek.map { "'\(Character(Unicode.Scalar($0)))'" }
            throw failure(
                "Unexpected \(unexpected ?? "end of file"), expected a name or a value",
                "Look for a missing quote, comma or brace before it.")
        }
        return name
    }

    /// JSON5 allows what ECMAScript 5.1 calls an identifier; all bytes of a non-ASCII letter have
    /// their high bit set.
    private func isIdentifierByte(_ byte: UInt8, first: Bool) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...0xFF:
            true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): !first
        default: false
        }
    }

    /// A number: decimal or hexadecimal, a sign, a leading or trailing point.
    mutating func number() throws(Failure) -> JSON5Document.Value {
        let start = position
        while let byte = peek, unicodeSpace == nil,
            isIdentifierByte(byte, first: false) || byte == UInt8(ascii: ".")
                || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
        { position += 1 }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        var digits = Substring(text)
        let negative = digits.first == "-"
        if negative || digits.first == "+" { digits.removeFirst() }
        if digits.first == "-" || digits.first == "+" {
            // A second sign is an error.
        } else if digits.lowercased().hasPrefix("0x") {
            let hex = digits.dropFirst(2)
            if hex.first?.isHexDigit == true, let value = Int64(hex, radix: 16) {
                return .int(negative ? -value : value)
            }
        } else if digits.count > 1, digits.first == "0", digits.dropFirst().first?.isNumber == true
        {
            // ECMAScript 5.1, 7.8.3: no octal numbers with a leading zero.
        } else if digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let value = Int64(negative ? "-\(digits)" : String(digits))
        {
            return .int(value)
        } else if let value = Double(completeDecimal(digits)), value.isFinite {
            return .double(negative ? -value : value)
        }
        throw failure("Invalid number \(text)", "Write digits, or put text in quotes.")
    }

    /// Completes `.5` and `5.` for Swift's parser.
    private func completeDecimal(_ digits: Substring) -> String {
        var text = String(digits)
        if text.hasPrefix(".") { text = "0" + text }
        if text.hasSuffix(".") { text += "0" }
        return text
    }
}
