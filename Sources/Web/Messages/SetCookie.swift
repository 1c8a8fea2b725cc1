/// A cookie set by a response (RFC 6265, 4.1): scripts cannot read it and other sites do not send
/// it.
package struct SetCookie: Sendable {
    private let name: String
    private let value: String
    /// In seconds; 0 deletes it.
    private let maxAge: Int

    /// `name` and `value` are chosen by the program: an invalid character is a programming
    /// error.
    package init(_ name: String, _ value: String, maxAge: Int) {
        precondition(
            !name.isEmpty && name.utf8.allSatisfy { Self.isCookieOctet($0) }
                && !name.utf8.contains(UInt8(ascii: "=")),
            "a cookie's name contains invalid characters")
        precondition(
            value.utf8.allSatisfy { Self.isCookieOctet($0) },
            "a cookie's value contains invalid characters")
        self.name = name
        self.value = value
        self.maxAge = maxAge
    }

    /// The value of a `Set-Cookie` header.
    package var headerValue: String {
        "\(name)=\(value); Path=/; HttpOnly; SameSite=Strict; Max-Age=\(maxAge)"
    }

    /// RFC 6265, `cookie-octet`.
    private static func isCookieOctet(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x21, 0x23...0x2B, 0x2D...0x3A, 0x3C...0x5B, 0x5D...0x7E: true
        default: false
        }
    }
}
