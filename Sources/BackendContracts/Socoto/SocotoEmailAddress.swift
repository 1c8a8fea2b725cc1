import Backend

/// Parses e-mail addresses as the auth server does, into lower case.
enum SocotoEmailAddress {
    /// Throws the server's 400 if the address is invalid.
    static func parse(_ raw: String) throws(SocotoAuthFailure) -> String {
        guard !raw.isEmpty else { throw .invalid("An email address is required") }
        guard raw.utf8.count <= 255 else { throw .invalid("An email address is too long") }
        guard isValid(raw) else {
            throw .invalid("Unable to validate email address: invalid format")
        }
        return raw.lowercased()
    }

    /// `atext` and dots, `@`, and domain labels: one is enough, each of 1 to 63 letters, digits and
    /// inner hyphens (HTML, 4.10.5.1.5).
    static func isValid(_ raw: String) -> Bool {
        let parts = raw.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty,
            parts[0].allSatisfy({ isAlphanumeric($0) || allowedSymbols.contains($0) })
        else { return false }
        let labels = parts[1].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return labels.allSatisfy { label in
            let hyphen = UInt8(ascii: "-")
            return (1...63).contains(label.count) && label.first != hyphen && label.last != hyphen
                && label.allSatisfy { isAlphanumeric($0) || $0 == hyphen }
        }
    }

    private static let allowedSymbols = Set(".!#$%&'*+/=?^_`{|}~-".utf8)

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }
}
