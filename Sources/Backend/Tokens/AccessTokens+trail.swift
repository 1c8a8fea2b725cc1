import Secrets
import Web

/// What a token turned out to be, for the trail of the request it came with.
extension AccessTokens {
    /// Nothing is decoded before somebody wants to read it.
    func note(_ reading: Reading, of token: String, at now: Moment) {
        guard Trail.current != nil else { return }
        let size = token.utf8.count
        guard case .refused = reading else {
            note(verified: reading, token, size, at: now)
            return
        }
        let decoded = Token(decoding: token)
        guard decoded.isJWT else {
            Trail.note(.jwt, false, "it has no three parts of JSON, \(size) B")
            return
        }
        Trail.note(.jwt, true, "3 parts, \(size) B")
        let verdict = keyring.judge(token)
        let algorithm = decoded.algorithm ?? "none named"
        switch verdict.word {
        case .unsigned: Trail.note(.algorithm, false, "it names none")
        case .verified:
            Trail.note(.algorithm, true, algorithm)
            Trail.note(.signature, true, decoded.keyID ?? "a key without a name")
            Trail.note(.expiry, false, "it says neither whose it is nor exp")
        case .unverified:
            Trail.note(
                .algorithm, false,
                "\(algorithm), and no key of ours is \(decoded.keyID ?? "unnamed")")
        case .invalid, .opaque:
            Trail.note(.algorithm, true, algorithm)
            Trail.note(.signature, false, "not made by \(decoded.keyID ?? "our key")")
        }
    }

    private func note(verified reading: Reading, _ token: String, _ size: Int, at now: Moment) {
        Trail.note(.jwt, true, "3 parts, \(size) B")
        Trail.note(.algorithm, true, Token(decoding: token).algorithm ?? "")
        Trail.note(.signature, true, Token(decoding: token).keyID ?? "a key without a name")
        switch reading {
        case .valid(let claims):
            let end = Moment(seconds: claims.expiresAt)
            Trail.note(.expiry, true, "for \(now.span(to: end)) more")
        case .expired(let claims):
            let end = Moment(seconds: claims.expiresAt)
            Trail.note(.expiry, false, "exp \(end.span(to: now)) ago on this clock")
        case .refused: break
        }
    }
}
