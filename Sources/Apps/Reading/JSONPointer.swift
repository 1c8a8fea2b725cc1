package import Web

/// JSON Pointers (RFC 6901) as manifests write them: `/` alone is the root document, which the RFC
/// writes as an empty string.
extension JSON {
    /// The value at `pointer`; nil if it is missing or null.
    package func value(at pointer: String) -> JSON? {
        guard pointer != "/" else { return nonNull }
        let tokens = pointer.utf8.dropFirst().split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        var current = self
        for token in tokens {
            guard let next = current.child(token) else { return Optional.none }
            current = next
        }
        return current.nonNull
    }

    /// nil for null. An `if`, because in a conditional expression a `nil` beside a `JSON` is read
    /// as the literal for null.
    var nonNull: JSON? {
        if case .null = self { return Optional.none }
        return self
    }

    /// The first value that one of `pointers` leads to.
    package func value(atFirstOf pointers: [String]) -> JSON? {
        for pointer in pointers { if let value = value(at: pointer) { return value } }
        return nil
    }

    /// The member or element for one token. Names are compared byte by byte, without normalization
    /// (RFC 6901, 4).
    private func child(_ token: Substring.UTF8View) -> JSON? {
        switch self {
        case .object(let members):
            guard !token.contains(UInt8(ascii: "~")) else {
                // `~1` first, so that `~01` does not become a slash (RFC 6901, 4).
                let name = Substring(token).replacing("~1", with: "/").replacing("~0", with: "~")
                return members.first { $0.name == name }?.value
            }
            return members.first { $0.name.utf8.elementsEqual(token) }?.value
        case .array(let elements):
            // RFC 6901, 4: digits without a leading zero.
            guard token.count == 1 || token.first != UInt8(ascii: "0"),
                token.allSatisfy({ (0x30...0x39).contains($0) }), let index = Int(Substring(token)),
                elements.indices.contains(index)
            else { return Optional.none }
            return elements[index]
        default: return Optional.none
        }
    }
}
