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
            CheckTrace.record(.jwt, false, "not three JSON parts, \(size) B")
            return
        }
        CheckTrace.record(.jwt, true, "3 parts, \(size) B")
        let verification = keyring.verifySignature(token)
        let algorithm = decoded.algorithm ?? "none"
        switch verification.status {
        case .unsigned: CheckTrace.record(.algorithm, false, "algorithm is none")
        case .verified:
            CheckTrace.record(.algorithm, true, algorithm)
            CheckTrace.record(.signature, true, decoded.keyID ?? "unnamed key")
            CheckTrace.record(.expiry, false, "sub or exp is missing")
        case .unverified:
            CheckTrace.record(
                .algorithm, false, "\(algorithm), unknown key \(decoded.keyID ?? "(unnamed)")")
        case .invalid, .opaque:
            CheckTrace.record(.algorithm, true, algorithm)
            CheckTrace.record(
                .signature, false, "not signed by \(decoded.keyID ?? "this server's key")")
        }
    }

    private func trace(
        verified validation: Validation, _ token: String, _ size: Int, at now: Timestamp
    ) {
        CheckTrace.record(.jwt, true, "3 parts, \(size) B")
        CheckTrace.record(.algorithm, true, Token(decoding: token).algorithm ?? "")
        CheckTrace.record(.signature, true, Token(decoding: token).keyID ?? "unnamed key")
        switch validation {
        case .valid(let claims):
            let expiresAt = Timestamp(seconds: claims.expiresAt)
            CheckTrace.record(.expiry, true, "expires in \(now.durationText(to: expiresAt))")
        case .expired(let claims):
            let expiresAt = Timestamp(seconds: claims.expiresAt)
            CheckTrace.record(.expiry, false, "expired \(expiresAt.durationText(to: now)) ago")
        case .invalid: break
        }
    }
}

extension CheckTrace {
    /// Records whether a token's session is active.
    static func record(session: BackendSession?) {
        guard let session else {
            record(.session, false, "session not found")
            return
        }
        let reason = session.revocationReason ?? "revoked"
        record(
            .session, session.revokedAt == nil,
            session.revokedAt == nil ? session.id : "ended: \(reason)")
    }
}
