import SQLite
import Web

/// The NestJS server's dialect: refreshing and signing out.
extension BobContract {
    /// POST /nest/api/auth/refresh: the token stands in the body or in a
    /// cookie.
    @Sendable func nestRefresh(_ visit: Visit) async throws -> Response {
        let realm = realm(visit)
        let end = premises.limits.take(
            Self.refreshes, of: visit.request.peer, in: realm, at: premises.now(in: realm))
        guard end == nil else { throw BobFailure.tooManyRefreshes }
        let body = try NestBody(visit.request)
        try body.check([.refreshToken])
        let cookie = Cookies(visit.request.headers)["refreshToken"] ?? ""
        let token = body["refreshToken"].isEmpty ? cookie : body["refreshToken"]
        guard !token.isEmpty else { throw BobFailure.missingRefreshToken }
        let outcome = try await rotate(token, at: .nest, in: realm)
        switch outcome {
        case .unknown: throw BobFailure.invalidRefreshToken
        case .ended(_, let ending): throw BobFailure.ended(ending)
        case .rotated(let session, let account, let next):
            return try signedIn(account, session, next)
        }
    }

    /// POST /nest/api/auth/logout: ends every session of the account; its
    /// access tokens live on until they end by themselves.
    @Sendable func nestLogout(_ visit: Visit) async throws -> Response {
        let claims = try bearer(visit)
        let realm = realm(visit)
        let now = premises.now(in: realm)
        let isKnown = try await premises.database.write { connection in
            guard let account = try connection.account(claims.subject, in: realm) else {
                return false
            }
            try connection.revokeSessions(of: account.id, because: .signedOut, at: now)
            return true
        }
        guard isKnown else { throw BobFailure.invalidAccessToken }
        return .json(["message": "Successfully logged out from all devices"])
    }
}
