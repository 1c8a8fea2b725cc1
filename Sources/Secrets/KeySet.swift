/// The keys a token may be verified with (RFC 7517).
///
/// The algorithm comes from the key, never from the token.
package struct KeySet: Sendable {
    package init() { preconditionFailure("not built yet") }

    /// Public keys of a JWK set's JSON text; keys of kinds we do not know are
    /// left out.
    package init(jwks: String) throws(SecretsError) {
        preconditionFailure("not built yet")
    }

    /// The verifying halves of our own signing keys.
    package init(_ keys: [SigningKey]) throws(SecretsError) {
        preconditionFailure("not built yet")
    }

    package var isEmpty: Bool { preconditionFailure("not built yet") }

    /// The set as JSON text, public halves only, as published at a JWKS
    /// address.
    package func jwks() throws(SecretsError) -> String {
        preconditionFailure("not built yet")
    }

    /// Judges the signature alone; expiry is judged elsewhere.
    package func judge(_ token: String) -> Signature {
        preconditionFailure("not built yet")
    }
}
