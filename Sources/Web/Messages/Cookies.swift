/// The cookies of a request (RFC 6265, 5.4).
package struct Cookies: Sendable {
    private var pairs: [(name: Substring, value: Substring)] = []

    /// Parses all `Cookie` headers and skips what is not a pair.
    package init(_ headers: Headers) {
        for field in headers.fields where Headers.areEqual(field.name, "Cookie") {
            // Iterates over bytes: iterating over characters costs ten times as much.
            for pair in field.value.utf8.split(separator: UInt8(ascii: ";")) {
                guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { continue }
                let name = Substring(pair[..<equals]).trimmingBlanks
                guard !name.isEmpty else { continue }
                let value = Substring(pair[pair.index(after: equals)...]).trimmingBlanks
                pairs.append((name, value))
            }
        }
    }

    /// The value of the first cookie named `name`.
    package subscript(name: String) -> String? {
        pairs.first { $0.name == name }.map { String($0.value) }
    }
}

/// A cookie set by a response (RFC 6265, 4.1): scripts cannot read it and other sites do not send
/// it. One that is not strict is sent when a link of another site is followed.
package struct SetCookie: Sendable {
    /// The value of a `Set-Cookie` header.
    package let headerValue: String

    /// `name` and `value` are chosen by the program: an invalid character is a programming error.
    package init(
        _ name: String, _ value: String, path: String = "/", maxAge: Int, isStrict: Bool = true
    ) {
        precondition(
            !name.isEmpty && name.utf8.allSatisfy { Self.isCookieOctet($0) }
                && !name.utf8.contains(UInt8(ascii: "=")),
            "a cookie's name contains invalid characters")
        precondition(
            value.utf8.allSatisfy { Self.isCookieOctet($0) },
            "a cookie's value contains invalid characters")
        let site = isStrict ? "Strict" : "Lax"
        headerValue =
            "\(name)=\(value); Path=\(path); HttpOnly; SameSite=\(site); Max-Age=\(maxAge)"
    }

    /// RFC 6265, `cookie-octet`.
    private static func isCookieOctet(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x21, 0x23...0x2B, 0x2D...0x3A, 0x3C...0x5B, 0x5D...0x7E: true
        default: false
        }
    }
}
