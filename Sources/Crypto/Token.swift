import Core

/// A token decoded without verifying it.
package struct Token: Sendable, Equatable {
    /// The header's JSON text; nil if this is not a JWT (opaque).
    package private(set) var header: String?
    /// The claims' JSON text; nil if this is not a JWT.
    package private(set) var claims: String?
    /// The header's `alg`, `kid` and `typ`.
    package private(set) var algorithm: String?
    package private(set) var keyID: String?
    package private(set) var type: String?
    /// Seconds since 1970 (RFC 7519, 4.1), if present.
    package private(set) var issuedAt: Int64?
    package private(set) var expiresAt: Int64?
    package private(set) var subject: String?
    package private(set) var issuer: String?
    /// A header member that changes how a signature is made and is not supported.
    private(set) var unsupportedHeader: String?

    /// In bytes; longer texts are treated as opaque, since no HTTP header carries them.
    private static let maxLength = 256 * 1024

    /// Decodes any text; never fails.
    package init(decoding text: String) {
        guard let (head, body) = Self.parts(of: text),
            let headText = String(validating: head, as: UTF8.self),
            let bodyText = String(validating: body, as: UTF8.self), let head = JSONObject(head),
            let body = JSONObject(body)
        else { return }
        header = headText
        claims = bodyText
        algorithm = head.text("alg")
        keyID = head.text("kid")
        type = head.text("typ")
        for name in ["crit", "zip"] where head.hasMember(name) { unsupportedHeader = name }
        issuedAt = body.numericDate("iat")
        expiresAt = body.numericDate("exp")
        subject = body.text("sub")
        issuer = body.text("iss")
    }

    /// Whether it has the three parts of a JWS with JSON header and claims.
    package var isJWT: Bool { header != nil }

    /// Header and claims of three base64url parts; the third may be empty.
    private static func parts(of text: String) -> ([UInt8], [UInt8])? {
        guard text.utf8.count <= maxLength else { return nil }
        let parts = text.utf8.split(
            separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false
        ).map { Substring($0) }
        guard parts.count == 3, let head = Base64URL.decode(parts[0]),
            let body = Base64URL.decode(parts[1]), Base64URL.decode(parts[2]) != nil
        else { return nil }
        return (head, body)
    }

    /// First 6 and last 4 characters, `eyJhbG…x9Qw`; for less than 16 characters `…` and the last
    /// 2, for less than 6 only `…`.
    ///
    /// Characters are Unicode scalars, so that no more is shown than stated.
    package static func masked(_ text: String) -> String {
        let scalars = text.unicodeScalars
        // Takes from the end, however long the text is.
        func last(_ count: Int) -> String { String(scalars.suffix(count)) }
        if scalars.dropFirst(15).isEmpty {
            return scalars.dropFirst(5).isEmpty ? "…" : "…" + last(2)
        }
        return String(scalars.prefix(6)) + "…" + last(4)
    }
}
