/// An email address normalized for lookup: trimmed and lowercase.
package struct EmailAddress: Sendable, Hashable {
    package let text: String

    /// RFC 5321, 4.5.3.1.3, without the angle brackets.
    static let maxLength = 254

    /// Nil unless the text matches `^[^\s@]+@[^\s@]+\.[^\s@]+$` (F-07, Validation Rules), has at
    /// most 254 bytes and no control character.
    package init?(_ raw: String) {
        var scalars = raw.unicodeScalars[...]
        while scalars.first?.properties.isWhitespace == true { scalars.removeFirst() }
        while scalars.last?.properties.isWhitespace == true { scalars.removeLast() }
        let parts = scalars.split(separator: "@", omittingEmptySubsequences: false)
        guard scalars.allSatisfy(Self.isAllowed), parts.count == 2, !parts[0].isEmpty,
            // A dot with something before and after it.
            parts[1].dropFirst().dropLast().contains(".")
        else { return nil }
        let text = String(scalars).lowercased()
        guard text.utf8.count <= Self.maxLength else { return nil }
        self.text = text
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        !scalar.properties.isWhitespace && scalar.properties.generalCategory != .control
    }
}
