import SQLite
import Secrets
import Web

/// Who a request comes from, for endpoints that are somebody's.
extension SocotoContract {
    /// The account and session of the bearer token, as they are now.
    func bearer(_ visit: Visit) async throws -> (account: Account, session: Session) {
        guard let token = Bearer(visit.request).token else { throw SocotoFailure.noAuthorization }
        let realm = realm(visit)
        let claims = try read(token, at: premises.now(in: realm))
        let (account, known) = try await premises.database.read { connection in
            (
                try connection.account(claims.subject, in: realm),
                try claims.sessionID.flatMap { try connection.session($0, in: realm)?.session }
            )
        }
        guard let account else { throw SocotoFailure.userGone }
        guard !isBanned(account) else { throw SocotoFailure.bannedBearer }
        guard let known, known.revokedAt == nil, known.account == account.id else {
            throw SocotoFailure.sessionGone
        }
        return (account, known)
    }

    private func read(_ token: String, at now: Moment) throws(SocotoFailure) -> AccessTokens.Claims
    {
        switch tokens.read(token, at: now) {
        case .valid(let claims): return claims
        case .expired: throw .badToken("token has invalid claims: token is expired")
        case .refused: break
        }
        guard Token(decoding: token).isJWT else {
            throw .badToken("token is malformed: token contains an invalid number of segments")
        }
        // The project's own keys are nobody's.
        if case .verified = tokens.keyring.judge(token).word { throw .noSubject }
        throw .badToken("token signature is invalid: signature is invalid")
    }
}
