import SQLite
import Web

/// Sessions, as every way of signing in ends in one.
extension SocotoContract {
    /// Everything a client is handed when it has signed in.
    struct Grant: Sendable {
        var account: Account
        var person: SocotoPerson
        var session: Session
        var refreshToken: String
    }

    /// Signs `account` in, inside a write.
    func open(
        _ account: Account, _ person: SocotoPerson, by method: SocotoSession.Method,
        on connection: Connection, at now: Moment
    ) throws -> Grant {
        var account = account
        var person = person
        account.lastLoginAt = now
        person.updatedAt = now
        try connection.noteLogin(of: account.id, at: now)
        try connection.save(person, of: account)
        let (session, token) = try chain.begin(
            account, facts: SocotoSession(method, at: now).facts, on: connection, at: now)
        return Grant(account: account, person: person, session: session, refreshToken: token)
    }

    /// The Session object.
    func session(_ grant: Grant) throws -> JSON {
        let now = premises.now(in: grant.account.realm)
        let life = tokens.life(Self.accessLife, of: grant.account)
        return [
            "access_token": .string(try accessToken(grant, at: now)),
            "token_type": "bearer",
            "expires_in": .int(life.components.seconds),
            "expires_at": .int((now + life).seconds),
            "refresh_token": .string(grant.refreshToken),
            "user": grant.person.user(grant.account),
        ]
    }

    func accessToken(_ grant: Grant, at now: Moment) throws -> String {
        let account = grant.account
        let signIn =
            SocotoSession(grant.session) ?? SocotoSession(.password, at: grant.session.createdAt)
        return try tokens.sign(
            [
                "iss": .string(issuer(of: account.realm)),
                "sub": .string(account.id), "aud": "authenticated",
                "exp": .int(
                    (now + tokens.life(Self.accessLife, of: account)).seconds),
                "iat": .int(now.seconds),
                "email": .string(account.email ?? ""), "phone": "",
                "app_metadata": SocotoPerson.appMetadata,
                "user_metadata": .object(grant.person.metadata),
                "role": "authenticated", "aal": "aal1", "amr": signIn.amr,
                "session_id": .string(grant.session.id),
                "is_anonymous": false,
            ], as: .access)
    }

    /// Where clients find the auth server.
    func issuer(of realm: Realm) -> String { premises.root(of: realm) + "/auth/v1" }

    /// Whether an administrator keeps them out.
    func isBanned(_ account: Account) -> Bool {
        account.disabledAt != nil
            || account.lockedUntil.map { premises.now(in: account.realm) < $0 } ?? false
    }
}
