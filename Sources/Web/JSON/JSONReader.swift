/// Parser for untrusted RFC 8259 text with bounded depth and number of values.
///
/// Members keep their order; of two with the same name the later counts (as in ECMAScript). Nothing
/// is decoded twice.
package struct JSONReader {
    /// Why the text is not JSON; contains none of the text.
    package struct Failure: Error, Sendable, Equatable {
        /// A sentence for a developer, with the byte offset of the error.
        package var detail: String
    }

    /// Depth limit for a backend's JSON, which is stored inside other values that are parsed with
    /// the full depth.
    package static let upstreamDepth = 48

    private let bytes: [UInt8]
    private var position = 0
    private var remainingDepth: Int
    /// How many more values the text may contain.
    private var remainingValues: Int
    private let keepsDuplicateNames: Bool

    /// The single value in `bytes`, nested at most `maxDepth` deep.
    ///
    /// A value takes some 40 bytes of memory however short its text is, so callers bound a large
    /// text from outside with `maxValues`. With `keepsDuplicateNames` every member of a repeated
    /// name is retained, in order.
    package static func read(
        _ bytes: [UInt8], maxDepth: Int = 64, maxValues: Int = .max,
        keepsDuplicateNames: Bool = false
    ) throws(Failure) -> JSON {
        var reader = JSONReader(
            bytes: bytes, remainingDepth: maxDepth, remainingValues: maxValues,
            keepsDuplicateNames: keepsDuplicateNames)
        // RFC 8259, 8.1: a byte order mark may be ignored.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.position = 3 }
        reader.skipWhitespace()
        let value = try reader.parseValue()
        reader.skipWhitespace()
        guard reader.position == bytes.count else {
            throw reader.failure("unexpected text after the value")
        }
        return value
    }

    // MARK: Values

    private mutating func parseValue() throws(Failure) -> JSON {
        guard remainingValues > 0 else { throw failure("too many values") }
        remainingValues -= 1
        switch peek {
        case UInt8(ascii: "{"): return try parseObject()
        case UInt8(ascii: "["): return try parseArray()
        case UInt8(ascii: "\""): return .string(try parseString())
        case UInt8(ascii: "t"): return try parseLiteral("true", .bool(true))
        case UInt8(ascii: "f"): return try parseLiteral("false", .bool(false))
        case UInt8(ascii: "n"): return try parseLiteral("null", .null)
        case nil: throw failure("unexpected end of the text")
        case let byte?:
            guard byte == UInt8(ascii: "-") || byte.isDigit else { throw failure("invalid value") }
            return try parseNumber()
        }
    }

    private mutating func parseObject() throws(Failure) -> JSON {
        try enterContainer()
        defer { remainingDepth += 1 }
        var members: [JSON.Member] = []
        // Linear search for few members, a dictionary beyond that.
        var indexByName: [String: Int] = [:]
        skipWhitespace()
        if consume(UInt8(ascii: "}")) { return .object([]) }
        while true {
            skipWhitespace()
            guard peek == UInt8(ascii: "\"") else { throw failure("a member has no quoted name") }
            let name = try parseString()
            skipWhitespace()
            guard consume(UInt8(ascii: ":")) else { throw failure("a member has no colon") }
            skipWhitespace()
            let member = JSON.Member(name, try parseValue())
            if members.count == 16 {
                for (index, member) in members.enumerated() { indexByName[member.name] = index }
            }
            let index =
                keepsDuplicateNames
                ? nil
                : members.count < 16 ? members.firstIndex { $0.name == name } : indexByName[name]
            if let index {
                members[index] = member
            } else {
                if members.count >= 16 { indexByName[name] = members.count }
                members.append(member)
            }
            skipWhitespace()
            if consume(UInt8(ascii: ",")) { continue }
            if consume(UInt8(ascii: "}")) { return .object(members) }
            throw failure("unterminated object")
        }
    }

    private mutating func parseArray() throws(Failure) -> JSON {
        try enterContainer()
        defer { remainingDepth += 1 }
        var elements: [JSON] = []
        skipWhitespace()
        if consume(UInt8(ascii: "]")) { return .array([]) }
        while true {
            skipWhitespace()
            elements.append(try parseValue())
            skipWhitespace()
            if consume(UInt8(ascii: ",")) { continue }
            if consume(UInt8(ascii: "]")) { return .array(elements) }
            throw failure("unterminated array")
        }
    }

    private mutating func parseLiteral(_ word: StaticString, _ value: JSON) throws(Failure) -> JSON
    {
        let letters = word.description.utf8
        guard bytes[position...].starts(with: letters) else { throw failure("invalid value") }
        position += letters.count
        return value
    }

    /// RFC 8259, 6. A whole number that fits 64 bits becomes an `int`.
    private mutating func parseNumber() throws(Failure) -> JSON {
        let start = position
        _ = consume(UInt8(ascii: "-"))
        let integerStart = position
        guard consumeDigits(),
            bytes[integerStart] != UInt8(ascii: "0") || position == integerStart + 1
        else { throw failure("a number has no digits or a leading zero") }
        var isInteger = true
        if consume(UInt8(ascii: ".")) {
            isInteger = false
            guard consumeDigits() else { throw failure("a number ends in a decimal point") }
        }
        if consume(UInt8(ascii: "e")) || consume(UInt8(ascii: "E")) {
            isInteger = false
            if !consume(UInt8(ascii: "+")) { _ = consume(UInt8(ascii: "-")) }
            guard consumeDigits() else { throw failure("an exponent has no digits") }
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isInteger, let value = Int64(text) { return .int(value) }
        guard let value = Double(text), value.isFinite else {
            throw failure("a number is too large")
        }
        return .double(value)
    }

    private mutating func consumeDigits() -> Bool {
        let start = position
        while peek?.isDigit == true { position += 1 }
        return position > start
    }

    // MARK: Strings

    private mutating func parseString() throws(Failure) -> String {
        position += 1
        let start = position
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\"") {
                let text = try decodeUTF8(bytes[start..<position])
                position += 1
                return text
            }
            if byte == UInt8(ascii: "\\") { return try parseEscapedString(from: start) }
            guard byte >= 0x20 else { break }
            position += 1
        }
        throw failure("a string is unterminated or contains a control character")
    }

    private mutating func parseEscapedString(from start: Int) throws(Failure) -> String {
        var out = Array(bytes[start..<position])
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return try decodeUTF8(out[...])
            case UInt8(ascii: "\\"): try parseEscape(into: &out)
            case 0..<0x20: throw failure("a string contains a control character")
            default: out.append(byte)
            }
        }
        throw failure("unterminated string")
    }

    private mutating func parseEscape(into out: inout [UInt8]) throws(Failure) {
        let byte = peek
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
            out.append(bytes[position - 1])
        case UInt8(ascii: "b"): out.append(0x08)
        case UInt8(ascii: "f"): out.append(0x0C)
        case UInt8(ascii: "n"): out.append(0x0A)
        case UInt8(ascii: "r"): out.append(0x0D)
        case UInt8(ascii: "t"): out.append(0x09)
        case UInt8(ascii: "u"):
            var unit = try parseHexDigits()
            if (0xD800..<0xDC00).contains(unit), peek == UInt8(ascii: "\\"),
                position + 1 < bytes.count, bytes[position + 1] == UInt8(ascii: "u")
            {
                position += 2
                let low = try parseHexDigits()
                guard (0xDC00..<0xE000).contains(low) else {
                    throw failure("an escape is an unpaired surrogate")
                }
                unit = 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(unit) else {
                throw failure("an escape is an unpaired surrogate")
            }
            out += String(Character(scalar)).utf8
        default: throw failure("unknown escape")
        }
    }

    private mutating func parseHexDigits() throws(Failure) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = peek?.hexDigitValue else {
                throw failure("an escape needs four hexadecimal digits")
            }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }

    private func decodeUTF8(_ slice: ArraySlice<UInt8>) throws(Failure) -> String {
        guard let text = String(validating: slice, as: UTF8.self) else {
            throw failure("a string is not UTF-8")
        }
        return text
    }

    // MARK: Scanning

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func consume(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipWhitespace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            position += 1
        }
    }

    private mutating func enterContainer() throws(Failure) {
        position += 1
        remainingDepth -= 1
        guard remainingDepth >= 0 else { throw failure("values are nested too deep") }
    }

    private func failure(_ detail: String) -> Failure {
        Failure(detail: "\(detail) (byte \(min(position, bytes.count)))")
    }
}
