/// Any JSON value (RFC 8259).
package enum JSON: Sendable, Equatable {
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case string(String)
    case array([JSON])
    /// Members in order; names are unique unless the reader retained duplicates.
    case object([Member])

    /// A name and its value.
    package struct Member: Sendable, Equatable {
        package var name: String
        package var value: JSON

        package init(_ name: String, _ value: JSON) {
            self.name = name
            self.value = value
        }
    }

    /// The value of the member `name`, nil if this is not an object or has none.
    package subscript(name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// The element at `index`, nil if this is not an array or too short.
    package subscript(index: Int) -> JSON? {
        // Not a conditional expression: its `nil` would be the JSON value null.
        guard elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    /// The text of a string.
    package var string: String? { if case .string(let text) = self { text } else { nil } }

    /// The value of a whole number.
    package var int: Int64? {
        switch self {
        case .int(let value): value
        case .double(let value): Int64(exactly: value)
        default: nil
        }
    }

    /// The value of any number.
    package var number: Double? {
        switch self {
        case .int(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }

    /// The elements of an array; empty for any other value.
    package var elements: [JSON] { if case .array(let elements) = self { elements } else { [] } }

    /// The members of an object; empty for any other value.
    package var members: [Member] { if case .object(let members) = self { members } else { [] } }

    package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// A scalar's text for a template or a storage item: the text of a string, the digits of a
    /// number, `true`, `false`; nil for null, arrays and objects.
    package var scalarText: String? {
        switch self {
        case .string(let text): text
        case .int(let value): String(value)
        case .double(let value): String(value)
        case .bool(let value): String(value)
        case .null, .array, .object: nil
        }
    }

    /// Parses RFC 8259 text; members keep their order.
    package init(parsing bytes: [UInt8]) throws(JSONReader.Failure) {
        self = try JSONReader.read(bytes)
    }

    /// Parses RFC 8259 text.
    package init(parsing text: String) throws(JSONReader.Failure) {
        try self.init(parsing: Array(text.utf8))
    }

    /// The string, or null.
    package init(_ text: String?) { self = text.map(JSON.string) ?? .null }

    /// The number, or null.
    package init(_ number: Int?) { self = number.map { .int(Int64($0)) } ?? .null }

    /// An object of texts, sorted by name.
    package init(sorting texts: [String: String]) {
        self = .object(texts.sorted { $0.key < $1.key }.map { Member($0.key, .string($0.value)) })
    }

    /// The text of `JSON(sorting: texts)`.
    package static func text(sorting texts: [String: String]) -> String {
        var out: [UInt8] = []
        out.reserveCapacity(texts.reduce(2) { $0 + $1.key.utf8.count + $1.value.utf8.count + 6 })
        out.append(UInt8(ascii: "{"))
        for (key, value) in texts.sorted(by: { $0.key < $1.key }) {
            if out.count > 1 { out.append(UInt8(ascii: ",")) }
            write(key, to: &out)
            out.append(UInt8(ascii: ":"))
            write(value, to: &out)
        }
        out.append(UInt8(ascii: "}"))
        return String(decoding: out, as: UTF8.self)
    }

    /// The members of an object that are texts.
    package var texts: [String: String] {
        guard case .object(let members) = self else { return [:] }
        return members.reduce(into: [:]) { $0[$1.name] = $1.value.string }
    }

    /// Compact RFC 8259 text in UTF-8; members keep their order.
    package var bytes: [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(256)
        write(to: &out)
        return out
    }

    /// The same as text.
    package var description: String { String(decoding: bytes, as: UTF8.self) }

    private func write(to out: inout [UInt8]) {
        switch self {
        case .null: out += "null".utf8
        case .bool(let value): out += (value ? "true" : "false").utf8
        case .int(let value): out += String(value).utf8
        case .double(let value):
            // JSON has no NaN and no infinity.
            out += (value.isFinite ? String(value) : "null").utf8
        case .string(let text): Self.write(text, to: &out)
        case .array(let elements):
            out.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { out.append(UInt8(ascii: ",")) }
                element.write(to: &out)
            }
            out.append(UInt8(ascii: "]"))
        case .object(let members):
            out.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { out.append(UInt8(ascii: ",")) }
                Self.write(member.name, to: &out)
                out.append(UInt8(ascii: ":"))
                member.value.write(to: &out)
            }
            out.append(UInt8(ascii: "}"))
        }
    }

    /// Examines all bytes: without an exit, many are compared at a time.
    private static func needsEscape(_ text: String) -> Bool {
        let bytes = text.utf8.span
        var found: UInt8 = 0
        for index in bytes.indices {
            let byte = bytes[index]
            found |= (byte < 0x20 ? 1 : 0) | (byte == 0x22 ? 1 : 0) | (byte == 0x5C ? 1 : 0)
        }
        return found != 0
    }

    /// Appends `text` as a JSON string. Escapes only what RFC 8259, 7 requires.
    package static func write(_ text: String, to out: inout [UInt8]) {
        out.append(UInt8(ascii: "\""))
        // Most texts need no escape, and are appended as a whole.
        guard needsEscape(text) else {
            out += text.utf8
            out.append(UInt8(ascii: "\""))
            return
        }
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): out += #"\""#.utf8
            case UInt8(ascii: "\\"): out += #"\\"#.utf8
            case UInt8(ascii: "\n"): out += #"\n"#.utf8
            case UInt8(ascii: "\r"): out += #"\r"#.utf8
            case UInt8(ascii: "\t"): out += #"\t"#.utf8
            case 0..<0x20:
                let hex = String(byte, radix: 16)
                out += (#"\u"# + String(repeating: "0", count: 4 - hex.count) + hex).utf8
            default: out.append(byte)
            }
        }
        out.append(UInt8(ascii: "\""))
    }
}

/// JSON as Swift literals.
extension JSON: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    package init(nilLiteral: ()) { self = .null }

    package init(booleanLiteral value: Bool) { self = .bool(value) }

    package init(integerLiteral value: Int64) { self = .int(value) }

    package init(floatLiteral value: Double) { self = .double(value) }

    package init(stringLiteral value: String) { self = .string(value) }

    package init(arrayLiteral elements: JSON...) { self = .array(elements) }

    package init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(elements.map { Member($0, $1) })
    }
}

extension JSON {
    /// An object without the members whose value is nil.
    package static func omittingNil(_ members: KeyValuePairs<String, JSON?>) -> JSON {
        .object(.omittingNil(members))
    }
}

extension [JSON.Member] {
    /// The members whose value is not nil.
    package static func omittingNil(_ members: KeyValuePairs<String, JSON?>) -> [JSON.Member] {
        members.compactMap { name, value in value.map { .init(name, $0) } }
    }
}
