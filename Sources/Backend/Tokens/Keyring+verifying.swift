import Crypto

extension Keyring {
    /// Verifies a token's signature with these keys, with a reason as display text.
    func verifySignature(_ token: String) -> SignatureVerification {
        let owner = "the embedded backend's \(contract) contract"
        switch keySet.verify(token) {
        case .verified(let algorithm, let keyID):
            return SignatureVerification(
                status: .verified, algorithm: algorithm, keyID: keyID,
                reason: "Signed with a key of \(owner).")
        case .invalid(let algorithm, let keyID):
            return SignatureVerification(
                status: .invalid, algorithm: algorithm, keyID: keyID,
                reason: "Not signed by the key of \(owner) that it names: "
                    + "it was changed, or somebody else made it.")
        case .unverified(let reason):
            return SignatureVerification(
                status: .unverified, reason: "No key of \(owner) could tell: \(reason).")
        case .unsigned:
            return SignatureVerification(status: .unsigned, reason: "It names the algorithm none.")
        case .opaque:
            return SignatureVerification(
                status: .opaque, reason: "It is no JWT: only the backend knows what it means.")
        }
    }
}
