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
        elements.indices.contains(index) ? elements[index] : nil
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
}

extension JSON {
    /// Parses RFC 8259 text; members keep their order.
    package init(parsing bytes: [UInt8]) throws(JSONReader.Failure) {
        self = try JSONReader.read(bytes)
    }

    /// Parses RFC 8259 text.
    package init(parsing text: String) throws(JSONReader.Failure) {
        try self.init(parsing: Array(text.utf8))
    }
}

extension JSON: ExpressibleByNilLiteral { package init(nilLiteral: ()) { self = .null } }

extension JSON: ExpressibleByBooleanLiteral {
    package init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSON: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int64) { self = .int(value) }
}

extension JSON: ExpressibleByFloatLiteral {
    package init(floatLiteral value: Double) { self = .double(value) }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    package init(stringLiteral value: String) { self = .string(value) }
}

extension JSON: ExpressibleByArrayLiteral {
    package init(arrayLiteral elements: JSON...) { self = .array(elements) }
}

extension JSON: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(elements.map { Member($0, $1) })
    }
}

extension JSON {
    /// The string, or null.
    package init(_ text: String?) { self = text.map(JSON.string) ?? .null }

    /// The number, or null.
    package init(_ number: Int?) { self = number.map { .int(Int64($0)) } ?? .null }

    /// An object of texts, sorted by name.
    package init(sorting texts: [String: String]) {
        self = .object(texts.sorted { $0.key < $1.key }.map { Member($0.key, .string($0.value)) })
    }

    /// The members of an object that are texts.
    package var texts: [String: String] {
        guard case .object(let members) = self else { return [:] }
        return members.reduce(into: [:]) { $0[$1.name] = $1.value.string }
    }
}
