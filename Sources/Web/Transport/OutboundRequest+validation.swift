extension Method {
    /// Whether it may go out: capital letters, as all that are registered
    /// have (RFC 9110, 16.1), and not many.
    package var canBeSent: Bool {
        (1...20).contains(rawValue.utf8.count)
            && rawValue.utf8.allSatisfy { (0x41...0x5A).contains($0) }
    }
}

extension Headers.Field {
    /// Whether it may go out: visible letters for a name, and nothing that
    /// could begin another field.
    package var canBeSent: Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ":") }
            && !value.utf8.contains { [0x00, 0x0A, 0x0D].contains($0) }
    }
}

extension URLParts {
    /// Bytes of one that may go out.
    package static let maxLength = 16_384

    /// Whether it may go out: no blanks, and nothing some servers take for a
    /// slash.
    package var canBeSent: Bool {
        text.utf8.count <= Self.maxLength
            && !text.utf8.contains { $0 < 0x21 || $0 == UInt8(ascii: "\\") }
    }
}
