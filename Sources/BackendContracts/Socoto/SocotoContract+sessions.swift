import Backend
import Crypto
import SQLite
import Web

/// Sessions, as created by every sign-in method.
extension SocotoContract {
    /// The result of a sign-in, as returned to the client.
    struct SignIn: Sendable {
        var account: Account
        var user: SocotoUser
        var session: BackendSession
        var refreshToken: String
    }

    /// Signs `account` in, inside a write.
    func signIn(
        _ account: Account, _ user: SocotoUser, by method: SignInRecord.Method,
        on connection: Connection, at now: Timestamp
    ) throws -> SignIn {
        var account = account
        var user = user
        account.lastLoginAt = now
        user.updatedAt = now
        try connection.recordLogin(of: account.id, at: now)
        try connection.save(user, of: account)
        let (session, token) = try refreshTokens.startSession(
            account, contractData: SignInRecord(method, at: now).contractData, on: connection,
            at: now)
        return SignIn(account: account, user: user, session: session, refreshToken: token)
    }

    /// The server's Session object, with further `members`.
    func sessionJSON(_ grant: SignIn, adding members: [JSON.Member]) throws -> JSON {
        guard case .object(let session) = try sessionJSON(grant) else {
            preconditionFailure("a session is an object")
        }
        return .object(session + members)
    }

    /// The server's Session object.
    func sessionJSON(_ grant: SignIn) throws -> JSON {
        let now = now
        let lifetime = accessTokens.lifetime(Self.accessTokenLifetime, of: grant.account)
        return [
            "access_token": .string(try makeAccessToken(grant, at: now)), "token_type": "bearer",
            "expires_in": .int(lifetime.components.seconds),
            "expires_at": .int((now + lifetime).seconds),
            "refresh_token": .string(grant.refreshToken),
            "user": grant.user.userObject(grant.account),
        ]
    }

    func makeAccessToken(_ grant: SignIn, at now: Timestamp) throws -> String {
        let account = grant.account
        let record = SignInRecord(grant.session)
        return try accessTokens.sign(
            [
                "iss": .string(issuer), "sub": .string(account.id),
                "aud": .string(grant.user.details.audience),
                "exp": .int(
                    (now + accessTokens.lifetime(Self.accessTokenLifetime, of: account)).seconds),
                "iat": .int(now.seconds), "email": .string(account.email ?? ""),
                "phone": .string(account.goTruePhone),
                "app_metadata": grant.user.appMetadataObject(account),
                "user_metadata": .object(grant.user.metadata), "role": .string(grant.user.role),
                "aal": record.aalClaim, "amr": record.amrClaim,
                "session_id": .string(grant.session.id),
                "is_anonymous": .bool(account.isAnonymous),
            ], as: .access)
    }

    /// The auth server's base URL, as clients use it.
    var issuer: String { rootURL + "/auth/v1" }

    /// Whether an administrator has disabled or locked the account.
    func isBanned(_ account: Account) -> Bool {
        account.disabledAt != nil || account.isLocked(at: now)
    }

    // MARK: Bearer authentication for endpoints that require a signed-in user

    /// The current account and session of the bearer token.
    func authenticateBearer(_ context: RequestContext) async throws -> (
        account: Account, session: BackendSession
    ) {
        guard let token = Bearer(context.request).token else { throw GoTrueFailure.noAuthorization }
        let claims = try readToken(token, at: now)
        return try await database.read { connection in
            try requireActive(claims.subject, claims.sessionID, on: connection)
        }
    }

    /// The account with this active session, inside a read or a write.
    func requireActive(_ account: String, _ session: String?, on connection: Connection) throws -> (
        account: Account, session: BackendSession
    ) {
        let found = try connection.account(account, in: realm)
        let session = try session.flatMap { try connection.session($0, in: realm)?.session }
        guard let account = found else { throw GoTrueFailure.userNotFound }
        guard let session, session.revokedAt == nil, session.accountID == account.id else {
            throw GoTrueFailure.sessionNotFound
        }
        guard !isBanned(account) else { throw GoTrueFailure.bearerUserBanned }
        return (account, session)
    }

    private func readToken(_ token: String, at now: Timestamp) throws(GoTrueFailure)
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
