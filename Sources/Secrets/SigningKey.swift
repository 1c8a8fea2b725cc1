/// A key that signs tokens: HS256, RS256, ES256 or EdDSA.
package struct SigningKey: Sendable {
    package enum Algorithm: String, Sendable, CaseIterable {
        case hs256 = "HS256"
        case rs256 = "RS256"
        case es256 = "ES256"
        case edDSA = "EdDSA"
    }

    package let algorithm: Algorithm
    package let keyID: String

    /// A fresh key.
    package static func generate(
        _ algorithm: Algorithm, keyID: String
    ) throws(SecretsError) -> SigningKey {
        preconditionFailure("not built yet")
    }

    /// The key of a private JWK's JSON text, as `privateJWK` gave it.
    package init(privateJWK: String) throws(SecretsError) {
        preconditionFailure("not built yet")
    }

    /// An HS256 key of these bytes.
    package init(secret: [UInt8], keyID: String) throws(SecretsError) {
        preconditionFailure("not built yet")
    }

    /// JSON text with the private half; sealed before it is stored.
    package func privateJWK() throws(SecretsError) -> String {
        preconditionFailure("not built yet")
    }

    /// JSON text with the public half; nil for HS256, which has none.
    package func publicJWK() throws(SecretsError) -> String? {
        preconditionFailure("not built yet")
    }

    /// Signs `claims` (JSON text, kept byte for byte) into a compact JWS.
    package func sign(
        claims: String, type: String = "JWT"
    ) throws(SecretsError) -> String {
        preconditionFailure("not built yet")
    }
}
