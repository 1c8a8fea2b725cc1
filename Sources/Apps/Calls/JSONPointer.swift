package import Web

/// JSON Pointers (RFC 6901) as manifests write them: `/` alone is the whole
/// document, which the RFC writes as nothing at all.
enum JSONPointer {
    /// Whether `text` is one: a slash before every token, `~` only in `~0` and
    /// `~1` (RFC 6901, 3).
    static func isValid(_ text: String) -> Bool {
        guard text.utf8.first == UInt8(ascii: "/") else { return false }
        var afterTilde = false
        for byte in text.utf8 {
            if afterTilde {
                guard byte == UInt8(ascii: "0") || byte == UInt8(ascii: "1") else { return false }
            }
            afterTilde = byte == UInt8(ascii: "~")
        }
        return !afterTilde
    }
}

extension JSON {
    /// The value `pointer` leads to; nil if it leads nowhere or to null.
    package func value(at pointer: String) -> JSON? {
        guard pointer != "/" else { return nonNull }
        var here = self
        var rest = pointer.utf8.dropFirst()
        while true {
            let token = rest.prefix { $0 != UInt8(ascii: "/") }
            guard let next = here.child(token) else { return Optional.none }
            here = next
            guard token.endIndex < rest.endIndex else { break }
            rest = rest[token.endIndex...].dropFirst()
        }
        return here.nonNull
    }

    /// nil for null. Written out because in a conditional a `nil` beside a
    /// JSON is taken for the literal of null.
    var nonNull: JSON? {
        if case .null = self { return Optional.none }
        return self
    }

    /// The first of `pointers` that leads to something.
    package func value(atFirstOf pointers: [String]) -> JSON? {
        for pointer in pointers { if let value = value(at: pointer) { return value } }
        return nil
    }

    /// One token further. Names are compared byte by byte, as RFC 6901, 4
    /// wants them: without normalization.
    private func child(_ token: Substring.UTF8View) -> JSON? {
        switch self {
        case .object(let members):
            guard !token.contains(UInt8(ascii: "~")) else {
                let name = Self.unescaped(Substring(token))
                return members.first { $0.name == name }?.value
            }
            return members.first { $0.name.utf8.elementsEqual(token) }?.value
        case .array(let elements):
            // RFC 6901, 4: digits without a leading nought.
            guard token.count == 1 || token.first != UInt8(ascii: "0"),
                token.allSatisfy({ (0x30...0x39).contains($0) }), let index = Int(Substring(token)),
                elements.indices.contains(index)
            else { return Optional.none }
            return elements[index]
        default: return Optional.none
        }
    }

    /// `~1` is a slash and `~0` a tilde; in this order, or `~01` would become
    /// a slash.
    private static func unescaped(_ token: Substring) -> String {
        var out = ""
        var rest = token[...]
        while let tilde = rest.firstIndex(of: "~") {
            out += rest[..<tilde]
            rest = rest[tilde...].dropFirst()
            out += rest.popFirst() == "1" ? "/" : "~"
        }
        return out + rest
    }
}
