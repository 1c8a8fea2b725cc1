package import Web

/// Decoding by Foundation, to compare the two parsers; the members of an object are in any order.
extension JSON: Decodable {
    package init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: Name.self) {
            self = .object(
                try container.allKeys.map {
                    Member($0.stringValue, try container.decode(JSON.self, forKey: $0))
                })
        } else if var container = try? decoder.unkeyedContainer() {
            var elements: [JSON] = []
            while !container.isAtEnd { elements.append(try container.decode(JSON.self)) }
            self = .array(elements)
        } else {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let value = try? container.decode(Bool.self) {
                self = .bool(value)
            } else if let value = try? container.decode(Int64.self) {
                self = .int(value)
            } else if let value = try? container.decode(Double.self) {
                self = .double(value)
            } else {
                self = .string(try container.decode(String.self))
            }
        }
    }

    private struct Name: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

extension JSON {
    /// A form in which the results of two parsers can be compared: numbers as doubles, and members
    /// by the bytes of their names (`<` of Swift 6.3 puts neither first of "e\u{301}" and
    /// "\u{E9}a").
    package var comparable: JSON {
        switch self {
        case .int(let value): .double(Double(value))
        case .array(let elements): .array(elements.map(\.comparable))
        case .object(let members):
            .object(
                members.map { Member($0.name, $0.value.comparable) }.sorted {
                    $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
                })
        default: self
        }
    }
}
