import Crypto

extension Keyring {
    /// What these keys say of a token's signature, in a person's words.
    func verifySignature(_ token: String) -> SignatureVerification {
        let place = "the embedded backend's \(contract) contract"
        switch keySet.verify(token) {
        case .verified(let algorithm, let keyID):
            return SignatureVerification(
                status: .verified, algorithm: algorithm, keyID: keyID,
                reason: "Signed with a key of \(place).")
        case .invalid(let algorithm, let keyID):
            return SignatureVerification(
                status: .invalid, algorithm: algorithm, keyID: keyID,
                reason: "Not signed by the key of \(place) that it names: "
                    + "it was changed, or somebody else made it.")
        case .unverified(let reason):
            return SignatureVerification(
                status: .unverified, reason: "No key of \(place) could tell: \(reason).")
        case .unsigned:
            return SignatureVerification(status: .unsigned, reason: "It names the algorithm none.")
        case .opaque:
            return SignatureVerification(
                status: .opaque, reason: "It is no JWT: only the backend knows what it means.")
        }
    }
}
