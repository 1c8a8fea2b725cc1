/// Reads RFC 8259 text from somebody who is not trusted: members keep their
/// order, of two with one name the later counts (as in ECMAScript), depth is
/// bounded, and nothing is decoded twice.
package struct JSONReader {
    /// Why the text is no JSON; holds none of the text.
    package struct Failure: Error, Sendable, Equatable {
        /// A sentence for a developer, with the byte it stopped at.
        package var detail: String
    }

    /// For what a backend sends, which is kept inside values of ours: those
    /// are read with the whole depth.
    package static let foreignDepth = 48

    private let bytes: [UInt8]
    private var at = 0
    private var room: Int
    /// How many more values may stand in the text.
    private var left: Int
    private let keepsDoubles: Bool

    /// The one value in `bytes`; values may stand `depth` deep in one another.
    ///
    /// A value takes some 40 bytes of memory however short its text is: a
    /// large text from outside may hold no more than `most` of them. With
    /// `keepsDoubles` every member of one name is told, in order.
    package static func read(
        _ bytes: [UInt8], depth: Int = 64, most: Int = .max, keepsDoubles: Bool = false
    ) throws(Failure) -> JSON {
        var reader = JSONReader(bytes: bytes, room: depth, left: most, keepsDoubles: keepsDoubles)
        // RFC 8259, 8.1: a byte order mark may be passed over.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.at = 3 }
        reader.skip()
        let value = try reader.value()
        reader.skip()
        guard reader.at == bytes.count else {
            throw reader.failure("there is text after the value")
        }
        return value
    }

    private init(bytes: [UInt8], room: Int, left: Int, keepsDoubles: Bool) {
        self.bytes = bytes
        self.room = room
        self.left = left
        self.keepsDoubles = keepsDoubles
    }

    // MARK: Values

    private mutating func value() throws(Failure) -> JSON {
        guard left > 0 else { throw failure("there are too many values") }
        left -= 1
        switch peek {
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try array()
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case nil: throw failure("the text ends where a value should stand")
        case let byte?:
            guard byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte) else {
                throw failure("no value begins like this")
            }
            return try number()
        }
    }

    private mutating func object() throws(Failure) -> JSON {
        try enter()
        defer { room += 1 }
        var members: [JSON.Member] = []
        // Looked up by walking while there are few, by table beyond that.
        var places: [String: Int] = [:]
        skip()
        if take(UInt8(ascii: "}")) { return .object([]) }
        while true {
            skip()
            guard peek == UInt8(ascii: "\"") else {
                throw failure("a member has no name in quotes")
            }
            let name = try string()
            skip()
            guard take(UInt8(ascii: ":")) else { throw failure("a member has no colon") }
            skip()
            let member = JSON.Member(name, try value())
            if members.count == 16 {
                for (place, member) in members.enumerated() { places[member.name] = place }
            }
            let place =
                keepsDoubles
                ? nil : members.count < 16 ? members.firstIndex { $0.name == name } : places[name]
            if let place {
                members[place] = member
            } else {
                if members.count >= 16 { places[name] = members.count }
                members.append(member)
            }
            skip()
            if take(UInt8(ascii: ",")) { continue }
            if take(UInt8(ascii: "}")) { return .object(members) }
            throw failure("an object is not closed")
        }
    }

    private mutating func array() throws(Failure) -> JSON {
        try enter()
        defer { room += 1 }
        var elements: [JSON] = []
        skip()
        if take(UInt8(ascii: "]")) { return .array([]) }
        while true {
            skip()
            elements.append(try value())
            skip()
            if take(UInt8(ascii: ",")) { continue }
            if take(UInt8(ascii: "]")) { return .array(elements) }
            throw failure("an array is not closed")
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSON) throws(Failure) -> JSON {
        let letters = word.description.utf8
        guard bytes[at...].starts(with: letters) else { throw failure("no value begins like this") }
        at += letters.count
        return value
    }

    /// RFC 8259, 6. A whole number that fits 64 bits stays one.
    private mutating func number() throws(Failure) -> JSON {
        let start = at
        _ = take(UInt8(ascii: "-"))
        let whole = at
        guard digits(), bytes[whole] != UInt8(ascii: "0") || at == whole + 1 else {
            throw failure("a number has no digits, or a nought too many")
        }
        var isWhole = true
        if take(UInt8(ascii: ".")) {
            isWhole = false
            guard digits() else { throw failure("a number ends in a point") }
        }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            isWhole = false
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            guard digits() else { throw failure("an exponent has no digits") }
        }
        let text = String(decoding: bytes[start..<at], as: UTF8.self)
        if isWhole, let value = Int64(text) { return .int(value) }
        guard let value = Double(text), value.isFinite else {
            throw failure("a number is too large")
        }
        return .double(value)
    }

    private mutating func digits() -> Bool {
        let start = at
        while let byte = peek, (0x30...0x39).contains(byte) { at += 1 }
        return at > start
    }

    // MARK: Strings

    private mutating func string() throws(Failure) -> String {
        at += 1
        let start = at
        while at < bytes.count {
            let byte = bytes[at]
            if byte == UInt8(ascii: "\"") {
                let text = try text(bytes[start..<at])
                at += 1
                return text
            }
            if byte == UInt8(ascii: "\\") { return try escaped(from: start) }
            guard byte >= 0x20 else { break }
            at += 1
        }
        throw failure("a string is not closed, or holds a control character")
    }

    private mutating func escaped(from start: Int) throws(Failure) -> String {
        var out = Array(bytes[start..<at])
        while at < bytes.count {
            let byte = bytes[at]
            at += 1
            switch byte {
            case UInt8(ascii: "\""): return try text(out[...])
            case UInt8(ascii: "\\"): try escape(into: &out)
            case 0..<0x20: throw failure("a string holds a control character")
            default: out.append(byte)
            }
        }
        throw failure("a string is not closed")
    }

    private mutating func escape(into out: inout [UInt8]) throws(Failure) {
        let byte = peek
        at += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): out.append(bytes[at - 1])
        case UInt8(ascii: "b"): out.append(0x08)
        case UInt8(ascii: "f"): out.append(0x0C)
        case UInt8(ascii: "n"): out.append(0x0A)
        case UInt8(ascii: "r"): out.append(0x0D)
        case UInt8(ascii: "t"): out.append(0x09)
        case UInt8(ascii: "u"):
            var unit = try hex()
            if (0xD800..<0xDC00).contains(unit), peek == UInt8(ascii: "\\"), at + 1 < bytes.count,
                bytes[at + 1] == UInt8(ascii: "u")
            {
                at += 2
                let low = try hex()
                guard (0xDC00..<0xE000).contains(low) else {
                    throw failure("an escape is half a character")
                }
                unit = 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(unit) else {
                throw failure("an escape is half a character")
            }
            out += String(Character(scalar)).utf8
        default: throw failure("an escape is not known")
        }
    }

    private mutating func hex() throws(Failure) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw failure("an escape wants four hexadecimal digits")
            }
            value = value << 4 | UInt32(digit)
            at += 1
        }
        return value
    }

    private func text(_ slice: ArraySlice<UInt8>) throws(Failure) -> String {
        guard let text = String(validating: slice, as: UTF8.self) else {
            throw failure("a string is not UTF-8")
        }
        return text
    }

    // MARK: Moving

    private var peek: UInt8? { at < bytes.count ? bytes[at] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        at += 1
        return true
    }

    private mutating func skip() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            at += 1
        }
    }

    private mutating func enter() throws(Failure) {
        at += 1
        room -= 1
        guard room >= 0 else { throw failure("values stand too deep") }
    }

    private func failure(_ detail: String) -> Failure {
        Failure(detail: "\(detail) (byte \(min(at, bytes.count)))")
    }
}
