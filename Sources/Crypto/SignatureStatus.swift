/// Result of verifying a token's signature; does not consider the expiry.
package enum SignatureStatus: Sendable, Equatable {
    /// Verified with the key `keyID` of algorithm `algorithm`.
    case verified(algorithm: String, keyID: String?)
    /// No suitable key is known.
    case unverified(reason: String)
    /// Verification with the matching key failed.
    case invalid(algorithm: String, keyID: String?)
    /// `alg` is `none`.
    case unsigned
    /// Not a JWT.
    case opaque

    /// The name in the API: `verified`, `unverified`, `invalid`, `unsigned`, `opaque`.
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
