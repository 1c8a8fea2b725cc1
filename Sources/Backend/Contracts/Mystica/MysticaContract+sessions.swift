import FoundationEssentials
import SQLite
import Web

extension MysticaContract {
    /// GET /auth/me (F-07, API Requirements 3), flat.
    @Sendable func me(_ visit: Visit) async throws -> Response {
        let claims: AccessTokens.Claims
        switch tokens.read(try bearer(visit.request), at: premises.now(in: realm(visit))) {
        case .valid(let read): claims = read
        case .expired: throw MysticaFailure.tokenExpired
        case .refused: throw MysticaFailure.invalidToken()
        }
        let realm = realm(visit)
        let found = try await premises.database.read { connection in
            try claims.sessionID.flatMap { try connection.session($0, in: realm) }
        }
        guard let (session, account) = found, account.id == claims.subject else {
            throw MysticaFailure.invalidToken("Its session does not exist.")
        }
        guard session.revokedAt == nil else {
            throw MysticaFailure.invalidToken(Self.reason(session))
        }
        try checkStanding(account)
        guard account.isVerified else { throw MysticaFailure.emailNotVerified }
        return .json(.object(player(account)))
    }

    /// POST /auth/refresh (F-07, API Requirements 4), flat.
    @Sendable func refresh(_ visit: Visit) async throws -> Response {
        let body = try JSONBody(visit.request)
        guard let token = try body.text("refresh_token", limit: JSONBody.tokenLimit) else {
            throw MysticaFailure.missingRefreshToken
        }
        let realm = realm(visit)
        let outcome = try await family.rotate(
            token, in: realm, at: premises.now(in: realm), database: premises.database,
            admit: checkStanding)
        switch outcome {
        case .unknown: throw MysticaFailure.invalidRefreshToken()
        case .ended(let session, _): throw MysticaFailure.invalidRefreshToken(Self.reason(session))
        case .rotated(let session, let account, let next):
            return .json([
                "access_token": .string(try accessToken(account, session)),
                "refresh_token": JSON(next),
            ])
        }
    }

    /// POST /auth/logout (F-07, API Requirements 5): best effort, so a token
    /// that means nothing here is signed out already.
    @Sendable func logout(_ visit: Visit) async throws -> Response {
        let token: String
        do { token = try bearer(visit.request) } catch { throw MysticaFailure.logoutWithoutToken }
        switch tokens.read(token, at: premises.now(in: realm(visit))) {
        case .valid(let claims), .expired(let claims):
            let realm = realm(visit)
            let now = premises.now(in: realm)
            try await premises.database.write { connection in
                guard let id = claims.sessionID,
                    let (session, _) = try connection.session(id, in: realm)
                else { return }
                try connection.revoke(session: session.id, because: .signedOut, at: now)
            }
        case .refused: break
        }
        return .json(["success": true])
    }

    /// An access token for `session`, valid for an hour from now.
    func accessToken(_ account: Account, _ session: Session) throws -> String {
        let now = premises.now(in: account.realm)
        return try tokens.sign(
            [
                "iss": .string(premises.base(of: account.realm)),
                "sub": .string(account.id),
                "email": JSON(account.email),
                "email_verified": .bool(account.isVerified),
                "session_id": .string(session.id),
                "iat": .int(now.seconds),
                "exp": .int(
                    (now + tokens.life(Self.accessLife, of: account)).seconds),
            ], as: .access)
    }

    private func bearer(_ request: Request) throws(MysticaFailure) -> String {
        switch Bearer(request) {
        case .missing: throw .missingToken
        case .empty: throw .emptyToken
        case .token(let token): return token
        }
    }

    /// What every account is at the start of the game.
    private func player(_ account: Account) -> [JSON.Member] {
        var members: [JSON.Member] = [
            .init("id", .string(account.id)),
            .init("email", JSON(account.email)),
            .init("username", .null),
            .init("level", 1),
            .init("total_atk", 10),
            .init("total_def", 5),
            .init("total_hp", 100),
            .init("created_at", .string(account.createdAt.iso8601Seconds)),
            .init("last_login", JSON(account.lastLoginAt?.iso8601Seconds)),
        ]
        if let device = account.deviceID {
            members.append(.init("device_id", .string(device)))
            members.append(.init("account_type", "anonymous"))
        }
        return members
    }

    private static func reason(_ session: Session) -> String {
        "Its session ended: \(session.revokedBecause ?? "revoked")."
    }
}
