/// Header fields in the order they were sent (RFC 9110, 5).
package struct Headers: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    /// One field line. The name keeps the spelling it came with.
    package struct Field: Sendable, Equatable {
        package var name: String
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package var fields: [Field]

    package init(_ fields: [Field] = []) { self.fields = fields }

    package init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field(name: $0, value: $1) }
    }

    /// The first value under `name`, whatever the case; setting replaces all.
    package subscript(name: String) -> String? {
        get { fields.first { Self.areEqual($0.name, name) }?.value }
        set {
            fields.removeAll { Self.areEqual($0.name, name) }
            if let newValue { fields.append(Field(name: name, value: newValue)) }
        }
    }

    /// Every value under `name`, in order.
    package func all(_ name: String) -> [String] {
        fields.filter { Self.areEqual($0.name, name) }.map(\.value)
    }

    /// Bytes of all field lines as they are sent.
    package var size: Int { fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 } }

    /// Adds a field line and keeps those there are.
    package mutating func add(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// ASCII case-insensitive equality, without making new strings.
    static func areEqual(_ one: String, _ other: String) -> Bool {
        let one = one.utf8
        let other = other.utf8
        guard one.count == other.count else { return false }
        return zip(one, other).allSatisfy { lowercased($0) == lowercased($1) }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
}
