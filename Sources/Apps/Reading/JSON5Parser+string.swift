extension JSON5Parser {
    /// A string in single or double quotes (JSON5, 5).
    mutating func string() throws(Failure) -> String {
        let quote = bytes[position]
        let openingLine = line
        position += 1
        var out: [UInt8] = []
        while let byte = peek, byte != quote {
            switch byte {
            case UInt8(ascii: "\\"): try escape(into: &out)
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                throw Failure(
                    line: openingLine, detail: "Unterminated string",
                    fix: "Close it on the same line, or end the line with \\.")
            default:
                out.append(byte)
                position += 1
            }
        }
        guard peek != nil else {
            throw Failure(
                line: openingLine, detail: "Unterminated string", fix: "Add the closing quote.")
        }
        position += 1
        guard let text = String(validating: out, as: UTF8.self) else {
            throw failure("Invalid UTF-8 in a string", "Save the file as UTF-8.")
        }
        return text
    }

    private mutating func escape(into out: inout [UInt8]) throws(Failure) {
        position += 1
        guard let byte = peek else { return }
        position += 1
        switch byte {
        case UInt8(ascii: "b"): out.append(0x08)
        case UInt8(ascii: "f"): out.append(0x0C)
        case UInt8(ascii: "n"): out.append(0x0A)
        case UInt8(ascii: "r"): out.append(0x0D)
        case UInt8(ascii: "t"): out.append(0x09)
        case UInt8(ascii: "v"): out.append(0x0B)
        case UInt8(ascii: "0"): out.append(0x00)
        case UInt8(ascii: "x"): append(try hex(2), to: &out)
        case UInt8(ascii: "u"): try unicodeEscape(into: &out)
        case UInt8(ascii: "\n"): line += 1
        case UInt8(ascii: "\r"): if take("\n") { line += 1 }
        case UInt8(ascii: "1")...UInt8(ascii: "9"):
            throw failure(
                "Invalid escape: backslash before a digit", "Write \\u and four hexadecimal digits."
            )
        default: out.append(byte)
        }
    }

    /// `\uD83D\uDE00` is one character, written as a surrogate pair.
    private mutating func unicodeEscape(into out: inout [UInt8]) throws(Failure) {
        let first = try hex(4)
        guard (0xD800...0xDBFF).contains(first) else {
            guard Unicode.Scalar(first) != nil else { throw surrogateFailure() }
            return append(first, to: &out)
        }
        guard take("\\"), take("u") else { throw surrogateFailure() }
        let second = try hex(4)
        guard (0xDC00...0xDFFF).contains(second) else { throw surrogateFailure() }
        append(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00), to: &out)
    }

    private func surrogateFailure() -> Failure {
        failure(
            "Unpaired surrogate in a \\u escape", "Write both surrogates, or the character itself.")
    }

    private mutating func hex(_ count: Int) throws(Failure) -> UInt32 {
        let digits = bytes[position..<min(position + count, bytes.count)]
        guard digits.count == count, digits.allSatisfy(Self.isHexDigit),
            let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else {
            throw failure(
                "An escape needs \(count) hexadecimal digits",
                "Write them, or the character itself.")
        }
        position += count
        return value
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        Character(Unicode.Scalar(byte)).isHexDigit
    }

    private func append(_ value: UInt32, to out: inout [UInt8]) {
        if let scalar = Unicode.Scalar(value) { out += String(Character(scalar)).utf8 }
    }
}
