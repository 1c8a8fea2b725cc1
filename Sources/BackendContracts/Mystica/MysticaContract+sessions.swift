import Backend
import FoundationEssentials
import SQLite
import Web

extension MysticaContract {
    /// GET /auth/me (F-07, API Requirements 3), with a flat response.
    func me(_ context: RequestContext) async throws -> Response {
        let claims = try claims(
            of: try readBearerToken(context.request), invalid: MysticaFailure.invalidToken(),
            expired: MysticaFailure.tokenExpired)
        let found = try await database.read { connection in
            try claims.sessionID.flatMap { try connection.session($0, in: realm) }
        }
        guard let (session, account) = found, account.id == claims.subject else {
            throw MysticaFailure.invalidToken("Its session does not exist.")
        }
        guard session.revokedAt == nil else {
            throw MysticaFailure.invalidToken(Self.sessionEndReason(session))
        }
        try checkSignInAllowed(account)
        guard account.isVerified else { throw MysticaFailure.emailNotVerified }
        // The values every account has at the start of the game.
        return .json(
            .omittingNil([
                "id": .string(account.id), "email": JSON(account.email), "username": .null,
                "level": 1, "total_atk": 10, "total_def": 5, "total_hp": 100,
                "created_at": .string(account.createdAt.iso8601Seconds),
                "last_login": JSON(account.lastLoginAt?.iso8601Seconds),
                "device_id": account.deviceID.map(JSON.string),
                "account_type": account.deviceID.map { _ in "anonymous" },
            ]))
    }

    /// POST /auth/refresh (F-07, API Requirements 4), with a flat response.
    func refresh(_ context: RequestContext) async throws -> Response {
        let body = try JSONBody(context.request)
        let token = try body.text("refresh_token", limit: JSONBody.tokenLimit).orThrow(
            MysticaFailure.missingRefreshToken)
        let outcome = try await refreshFamily.rotate(
            token, in: realm, at: now, database: services.database, authorize: checkSignInAllowed)
        switch outcome {
        case .unknown: throw MysticaFailure.invalidRefreshToken()
        case .rejected(let session, _):
            throw MysticaFailure.invalidRefreshToken(Self.sessionEndReason(session))
        case .rotated(let session, let account, let refreshToken):
            return .json([
                "access_token": .string(try makeAccessToken(account, session)),
                "refresh_token": JSON(refreshToken),
            ])
        }
    }

    /// POST /auth/logout (F-07, API Requirements 5). It is best effort: an invalid token counts as
    /// signed out.
    func logout(_ context: RequestContext) async throws -> Response {
        let token: String
        do { token = try readBearerToken(context.request) } catch {
            throw MysticaFailure.logoutWithoutToken
        }
        switch accessTokens.validate(token, at: now) {
        case .valid(let claims), .expired(let claims):
            let now = now
            try await database.write { connection in
                guard let id = claims.sessionID,
                    let (session, _) = try connection.session(id, in: realm)
                else { return }
                try connection.revoke(session: session.id, reason: .signedOut, at: now)
            }
        case .invalid: break
        }
        return .json(["success": true])
    }

    func makeAccessToken(_ account: Account, _ session: BackendSession) throws -> String {
        try signToken(
            [
                "iss": .string(baseURL), "sub": .string(account.id), "email": JSON(account.email),
                "email_verified": .bool(account.isVerified), "session_id": .string(session.id),
            ], of: account, lifetime: Self.accessTokenLifetime)
    }

    private func readBearerToken(_ request: Request) throws(MysticaFailure) -> String {
        switch Bearer(request) {
        case .missing: throw .missingToken
        case .empty: throw .emptyToken
        case .token(let token): return token
        }
    }

    private static func sessionEndReason(_ session: BackendSession) -> String {
        "Its session ended: \(session.revocationReason ?? "revoked")."
    }
}
