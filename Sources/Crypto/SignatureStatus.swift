/// What is known of a token's signature; expiry is judged elsewhere.
package enum SignatureStatus: Sendable, Equatable {
    /// By the key `keyID` of algorithm `algorithm`.
    case verified(algorithm: String, keyID: String?)
    /// No key is known that could tell.
    case unverified(reason: String)
    /// A key that should fit says no.
    case invalid(algorithm: String, keyID: String?)
    /// `alg` is `none`.
    case unsigned
    /// No JWT.
    case opaque

    /// The API's word: `verified`, `unverified`, `invalid`, `unsigned`,
    /// `opaque`.
    package var name: String {
        switch self {
        case .verified: "verified"
        case .unverified: "unverified"
        case .invalid: "invalid"
        case .unsigned: "unsigned"
        case .opaque: "opaque"
        }
    }
}
