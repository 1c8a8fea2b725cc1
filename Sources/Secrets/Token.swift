/// A token taken apart without trusting it.
package struct Token: Sendable, Equatable {
    /// The header's JSON text; nil if this is no JWT (opaque).
    package let header: String?
    /// The claims' JSON text; nil if this is no JWT.
    package let claims: String?
    /// The header's `alg`, `kid` and `typ`.
    package let algorithm: String?
    package let keyID: String?
    package let type: String?
    /// Seconds since 1970 (RFC 7519, 4.1), where told.
    package let issuedAt: Int64?
    package let expiresAt: Int64?
    package let subject: String?
    package let issuer: String?

    /// Decodes whatever `text` is; decoding needs no trust and never fails.
    package init(decoding text: String) {
        preconditionFailure("not built yet")
    }

    /// Whether it has the three parts of a JWS with JSON header and claims.
    package var isJWT: Bool { header != nil }

    /// First 6 and last 4 characters, `eyJhbG…x9Qw`; a shorter value than 16
    /// characters is shown as `…` and its last 2.
    package static func masked(_ text: String) -> String {
        preconditionFailure("not built yet")
    }
}
