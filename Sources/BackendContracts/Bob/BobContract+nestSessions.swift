import Backend
import SQLite
import Web

/// The NestJS server's dialect: refresh and logout.
extension BobContract {
    /// POST /nest/api/auth/refresh, with the token in the body or in a cookie.
    @Sendable func nestRefresh(_ context: RequestContext) async throws -> Response {
        let realm = realm(context)
        try services.count(
            Self.refreshLimit, of: context.request.peer, in: realm,
            failure: BobFailure.tooManyRefreshes)
        let body = try NestBody(context.request)
        try body.check([.refreshToken])
        let cookie = Cookies(context.request.headers)["refreshToken"] ?? ""
        let token = body["refreshToken"].isEmpty ? cookie : body["refreshToken"]
        guard !token.isEmpty else { throw BobFailure.missingRefreshToken }
        let outcome = try await rotate(token, dialect: .nest, in: realm)
        switch outcome {
        case .unknown: throw BobFailure.invalidRefreshToken
        case .rejected(_, let ending): throw BobFailure.refreshTokenEnded(ending)
        case .rotated(let session, let account, let refreshToken):
            return try tokenResponse(account, session, refreshToken)
        }
    }

    /// POST /nest/api/auth/logout: ends every session of the account. Its access tokens stay valid
    /// until they expire.
    @Sendable func nestLogout(_ context: RequestContext) async throws -> Response {
        let claims = try authenticateBearer(context)
        let realm = realm(context)
        let now = services.now(in: realm)
        let accountExists = try await services.database.write { connection in
            guard let account = try connection.account(claims.subject, in: realm) else {
                return false
            }
            try connection.revokeSessions(of: account.id, reason: .signedOut, at: now)
            return true
        }
        guard accountExists else { throw BobFailure.invalidAccessToken }
        return .json(["message": "Successfully logged out from all devices"])
    }
}
