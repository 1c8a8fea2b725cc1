import Backend
import Crypto
import SQLite
import Web

/// Bearer authentication for endpoints that require a signed-in user.
extension SocotoContract {
    /// The current account and session of the bearer token.
    func authenticateBearer(_ context: RequestContext) async throws -> (
        account: Account, session: BackendSession
    ) {
        guard let token = Bearer(context.request).token else {
            throw SocotoAuthFailure.noAuthorization
        }
        let realm = realm(context)
        let claims = try readToken(token, at: services.now(in: realm))
        let (account, session) = try await services.database.read { connection in
            (
                try connection.account(claims.subject, in: realm),
                try claims.sessionID.flatMap { try connection.session($0, in: realm)?.session }
            )
        }
        guard let account else { throw SocotoAuthFailure.userNotFound }
        guard !isBanned(account) else { throw SocotoAuthFailure.bearerUserBanned }
        guard let session, session.revokedAt == nil, session.accountID == account.id else {
            throw SocotoAuthFailure.sessionNotFound
        }
        return (account, session)
    }

    private func readToken(_ token: String, at now: Timestamp) throws(SocotoAuthFailure)
        -> AccessTokens.Claims
    {
        switch accessTokens.validate(token, at: now) {
        case .valid(let claims): return claims
        case .expired: throw .invalidJWT("token has invalid claims: token is expired")
        case .invalid: break
        }
        guard Token(decoding: token).isJWT else {
            throw .invalidJWT("token is malformed: token contains an invalid number of segments")
        }
        // The project's own API keys belong to no user.
        if case .verified = accessTokens.keyring.verifySignature(token).status {
            throw .missingSubject
        }
        throw .invalidJWT("token signature is invalid: signature is invalid")
    }
}
