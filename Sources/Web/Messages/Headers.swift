/// Header fields in the order they were sent (RFC 9110, 5).
package struct Headers: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    /// One field line. The name keeps its received spelling.
    package struct Field: Sendable, Equatable {
        package var name: String
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }

        /// Whether it has this name, case-insensitively.
        package func isNamed(_ name: String) -> Bool { Headers.areEqual(self.name, name) }
    }

    package var fields: [Field]

    /// The number of fields to reserve memory for: most messages have fewer.
    package static let usualCount = 16

    package init(_ fields: [Field] = []) { self.fields = fields }

    package init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field(name: $0, value: $1) }
    }

    /// The first value of `name`, case-insensitively; setting it replaces all of them.
    package subscript(name: String) -> String? {
        get { fields.first { Self.areEqual($0.name, name) }?.value }
        set {
            fields.removeAll { Self.areEqual($0.name, name) }
            if let newValue { fields.append(Field(name: name, value: newValue)) }
        }
    }

    /// Every value of `name`, in order.
    package func all(_ name: String) -> [String] {
        fields.filter { Self.areEqual($0.name, name) }.map(\.value)
    }

    /// Bytes of all field lines as they are sent.
    package var size: Int { fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 } }

    /// Appends a field line and keeps existing ones of that name.
    package mutating func add(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// ASCII case-insensitive equality, without allocating strings.
    package static func areEqual(_ lhs: String, _ rhs: String) -> Bool {
        let lhs = lhs.utf8.span
        let rhs = rhs.utf8.span
        guard lhs.count == rhs.count else { return false }
        for index in lhs.indices where lowercased(lhs[index]) != lowercased(rhs[index]) {
            return false
        }
        return true
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }

    /// The fields without those of a single connection (RFC 9110, 7.6.1), those that `Connection`
    /// names included, and without the body's framing, which the sender of the next hop sets
    /// itself.
    package func withoutHopByHopFields() -> Headers {
        let connectionOptions = all("Connection").flatMap { value in
            value.split(separator: ",").map { String($0.trimmingBlanks) }
        }
        return Headers(
            fields.filter { field in
                !Self.hopByHopNames.contains(where: field.isNamed)
                    && !connectionOptions.contains(where: field.isNamed)
            })
    }

    private static let hopByHopNames = [
        "connection", "keep-alive", "proxy-connection", "proxy-authenticate", "proxy-authorization",
        "te", "trailer", "transfer-encoding", "upgrade", "http2-settings", "content-length",
    ]

    /// The media type of `Content-Type` in lower case, without parameters; empty without one.
    package var mediaType: String {
        let value = (self["Content-Type"] ?? "").utf8.prefix { $0 != UInt8(ascii: ";") }
        return Substring(value).trimmingBlanks.lowercased()
    }

    /// The token of `Authorization: Bearer`.
    package var bearerToken: String? {
        let parts = self["Authorization"]?.split(separator: " ", maxSplits: 1) ?? []
        let isBearer = parts.count == 2 && Self.areEqual(String(parts[0]), "Bearer")
        return isBearer ? String(parts[1]) : nil
    }

    /// Whether they describe a body of URL-encoded form fields.
    package var isForm: Bool { mediaType == "application/x-www-form-urlencoded" }
}
