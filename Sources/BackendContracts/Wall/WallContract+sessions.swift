import Backend
import SQLite
import Web

/// Refresh tokens, in both dialects over the same sessions.
///
/// Neither the specification nor the real server at its first commit has them. The calls are those
/// of the newest client, `{refreshToken}` to `{accessToken,refreshToken}`; the specification's
/// dialect spells them as its other calls.
extension WallContract {
    /// POST /auth/refresh.
    func refresh(_ context: RequestContext) async throws -> Response {
        let (account, session) = try await rotate(
            try JSONBody(context.request).text("refresh_token", limit: JSONBody.tokenLimit))
        return .json([
            "success": true, "message": "Token refreshed",
            "token": .string(try makeAccessToken(account, session.session)),
            "refresh_token": .string(session.refreshToken),
        ])
    }

    /// POST /api/v1/auth/refresh.
    func micronautRefresh(_ context: RequestContext) async throws -> Response {
        let (account, session) = try await rotate(
            try JSONBody(context.request).text("refreshToken", limit: JSONBody.tokenLimit))
        return .plainJSON([
            "accessToken": .string(try makeAccessToken(account, session.session)),
            "refreshToken": .string(session.refreshToken),
        ])
    }

    /// Exchanges a refresh token for the next one.
    private func rotate(_ token: String?) async throws -> (Account, WallSession) {
        let token = try token.orThrow(WallFailure.missingRefreshToken)
        switch try await makeRefreshFamily().rotate(
            token, in: realm, at: now, database: services.database)
        {
        case .rotated(let session, let account, let next?):
            return (account, WallSession(session: session, refreshToken: next))
        case .unknown, .rotated: throw WallFailure.invalidRefreshToken
        case .rejected(_, let ending): throw WallFailure.refreshTokenEnded(ending)
        }
    }

    private func makeRefreshFamily() -> RefreshFamily {
        var family = refreshFamily
        family.idleLifetime = Self.refreshTokenLifetime
        family.reuseInterval = Self.reuseInterval
        return family
    }

    func startSession(_ account: Account, on connection: Connection, at now: Timestamp) throws
        -> WallSession
    {
        let family = makeRefreshFamily()
        let token = family.makeToken()
        let session = try family.startSession(account, token: token, on: connection, at: now)
        return WallSession(session: session, refreshToken: token)
    }

    /// The claims of the bearer token, which is valid until it expires.
    func bearerClaims(_ context: RequestContext) throws -> AccessTokens.Claims {
        let failure = WallFailure.unauthorized
        let token = try Bearer(context.request).token.orThrow(failure)
        return try claims(of: token, invalid: failure, expired: failure)
    }
}

/// A session with its newest refresh token.
struct WallSession: Sendable {
    var session: BackendSession
    var refreshToken: String
}
