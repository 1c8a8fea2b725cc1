import Secrets

extension Keyring {
    /// What these keys say of a token's signature, in a person's words.
    func judge(_ token: String) -> Verdict {
        let place = "the embedded backend's \(contract) contract"
        switch keys.judge(token) {
        case .verified(let algorithm, let keyID):
            return Verdict(
                word: .verified, algorithm: algorithm, keyID: keyID,
                reason: "Signed with a key of \(place).")
        case .invalid(let algorithm, let keyID):
            return Verdict(
                word: .invalid, algorithm: algorithm, keyID: keyID,
                reason: "Not signed by the key of \(place) that it names: "
                    + "it was changed, or somebody else made it.")
        case .unverified(let reason):
            return Verdict(word: .unverified, reason: "No key of \(place) could tell: \(reason).")
        case .unsigned: return Verdict(word: .unsigned, reason: "It names the algorithm none.")
        case .opaque:
            return Verdict(
                word: .opaque, reason: "It is no JWT: only the backend knows what it means.")
        }
    }
}
