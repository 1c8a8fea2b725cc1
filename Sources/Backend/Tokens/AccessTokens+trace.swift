import Crypto
import Web

/// Records the validation of a token in the request's check trace.
extension AccessTokens {
    /// Does nothing, not even decode, without a current trace.
    func trace(_ validation: Validation, of token: String, at now: Timestamp) {
        guard CheckTrace.current != nil else { return }
        let size = token.utf8.count
        guard case .invalid = validation else {
            trace(verified: validation, token, size, at: now)
            return
        }
        let decoded = Token(decoding: token)
        guard decoded.isJWT else {
            CheckTrace.record(.jwt, false, "it has no three parts of JSON, \(size) B")
            return
        }
        CheckTrace.record(.jwt, true, "3 parts, \(size) B")
        let verification = keyring.verifySignature(token)
        let algorithm = decoded.algorithm ?? "none named"
        switch verification.status {
        case .unsigned: CheckTrace.record(.algorithm, false, "it names none")
        case .verified:
            CheckTrace.record(.algorithm, true, algorithm)
            CheckTrace.record(.signature, true, decoded.keyID ?? "a key without a name")
            CheckTrace.record(.expiry, false, "it says neither whose it is nor exp")
        case .unverified:
            CheckTrace.record(
                .algorithm, false,
                "\(algorithm), and no key of ours is \(decoded.keyID ?? "unnamed")")
        case .invalid, .opaque:
            CheckTrace.record(.algorithm, true, algorithm)
            CheckTrace.record(.signature, false, "not made by \(decoded.keyID ?? "our key")")
        }
    }

    private func trace(
        verified validation: Validation, _ token: String, _ size: Int, at now: Timestamp
    ) {
        CheckTrace.record(.jwt, true, "3 parts, \(size) B")
        CheckTrace.record(.algorithm, true, Token(decoding: token).algorithm ?? "")
        CheckTrace.record(.signature, true, Token(decoding: token).keyID ?? "a key without a name")
        switch validation {
        case .valid(let claims):
            let expiresAt = Timestamp(seconds: claims.expiresAt)
            CheckTrace.record(.expiry, true, "for \(now.durationText(to: expiresAt)) more")
        case .expired(let claims):
            let expiresAt = Timestamp(seconds: claims.expiresAt)
            CheckTrace.record(
                .expiry, false, "exp \(expiresAt.durationText(to: now)) ago on this clock")
        case .invalid: break
        }
    }
}
