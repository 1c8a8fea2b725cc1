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
}
