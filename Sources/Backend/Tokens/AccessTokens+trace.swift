import Crypto
import Web

/// What a token turned out to be, for the trail of the request it came with.
extension AccessTokens {
    /// Nothing is decoded before somebody wants to read it.
    func trace(_ reading: Validation, of token: String, at now: Timestamp) {
        guard CheckTrace.current != nil else { return }
        let size = token.utf8.count
        guard case .invalid = reading else {
            trace(verified: reading, token, size, at: now)
            return
        }
        let decoded = Token(decoding: token)
        guard decoded.isJWT else {
            CheckTrace.record(.jwt, false, "it has no three parts of JSON, \(size) B")
            return
        }
        CheckTrace.record(.jwt, true, "3 parts, \(size) B")
        let verdict = keyring.verifySignature(token)
        let algorithm = decoded.algorithm ?? "none named"
        switch verdict.status {
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
        verified reading: Validation, _ token: String, _ size: Int, at now: Timestamp
    ) {
        CheckTrace.record(.jwt, true, "3 parts, \(size) B")
        CheckTrace.record(.algorithm, true, Token(decoding: token).algorithm ?? "")
        CheckTrace.record(.signature, true, Token(decoding: token).keyID ?? "a key without a name")
        switch reading {
        case .valid(let claims):
            let end = Timestamp(seconds: claims.expiresAt)
            CheckTrace.record(.expiry, true, "for \(now.durationText(to: end)) more")
        case .expired(let claims):
            let end = Timestamp(seconds: claims.expiresAt)
            CheckTrace.record(.expiry, false, "exp \(end.durationText(to: now)) ago on this clock")
        case .invalid: break
        }
    }
}
