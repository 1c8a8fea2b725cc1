import Backend
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
        _ account: Account, _ user: SocotoUser, by method: SocotoSignInRecord.Method,
        on connection: Connection, at now: Timestamp
    ) throws -> SignIn {
        var account = account
        var user = user
        account.lastLoginAt = now
        user.updatedAt = now
        try connection.recordLogin(of: account.id, at: now)
        try connection.save(user, of: account)
        let (session, token) = try refreshTokens.startSession(
            account, contractData: SocotoSignInRecord(method, at: now).contractData, on: connection,
            at: now)
        return SignIn(account: account, user: user, session: session, refreshToken: token)
    }

    /// The server's Session object.
    func sessionJSON(_ grant: SignIn) throws -> JSON {
        let now = services.now(in: grant.account.realm)
        let lifetime = accessTokens.lifetime(Self.accessTokenLifetime, of: grant.account)
        return [
            "access_token": .string(try makeAccessToken(grant, at: now)),
            "token_type": "bearer",
            "expires_in": .int(lifetime.components.seconds),
            "expires_at": .int((now + lifetime).seconds),
            "refresh_token": .string(grant.refreshToken),
            "user": grant.user.userObject(grant.account),
        ]
    }

    func makeAccessToken(_ grant: SignIn, at now: Timestamp) throws -> String {
        let account = grant.account
        let record =
            SocotoSignInRecord(grant.session)
            ?? SocotoSignInRecord(.password, at: grant.session.createdAt)
        return try accessTokens.sign(
            [
                "iss": .string(issuer(of: account.realm)),
                "sub": .string(account.id), "aud": "authenticated",
                "exp": .int(
                    (now + accessTokens.lifetime(Self.accessTokenLifetime, of: account)).seconds),
                "iat": .int(now.seconds),
                "email": .string(account.email ?? ""), "phone": "",
                "app_metadata": SocotoUser.appMetadata,
                "user_metadata": .object(grant.user.metadata),
                "role": "authenticated", "aal": "aal1", "amr": record.amrClaim,
                "session_id": .string(grant.session.id),
                "is_anonymous": false,
            ], as: .access)
    }

    /// The auth server's base URL, as clients use it.
    func issuer(of realm: Realm) -> String { services.rootURL(of: realm) + "/auth/v1" }

    /// Whether an administrator has disabled or locked the account.
    func isBanned(_ account: Account) -> Bool {
        account.disabledAt != nil
            || account.lockedUntil.map { services.now(in: account.realm) < $0 } ?? false
    }
}
