import Backend
import Crypto
import SQLite
import Web

extension ClarityContract {
    /// GET /me.
    @Sendable func cognitoMe(_ context: RequestContext) async throws -> Response {
        let account = try await authenticateCognitoBearer(context).account
        return .json([
            "user_id": .string(account.id), "email": JSON(account.email),
            "email_verified": .bool(account.isVerified),
            "display_name": JSON(ClarityProfile(account).displayName), "auth_provider": "cognito",
        ])
    }

    /// POST /refresh, with the token in the body or as bearer token. The token stays the same.
    @Sendable func cognitoRefresh(_ context: RequestContext) async throws -> Response {
        guard let token = try readRefreshToken(context) ?? Bearer(context.request).token else {
            throw ClarityFastAPIFailure.missingRefreshToken
        }
        do {
            let (session, account) = try await redeemRefreshToken(token, in: realm(context))
            // Firebase may have issued the token, which does not require a verified address.
            guard account.isVerified else { throw ClarityFastAPIFailure.emailNotVerified }
            return try cognitoTokenResponse(account, session, token)
        } catch is ClarityGoogleFailure {
            // The real server's outer handler turns its own 401 into this error.
            throw ClarityFastAPIFailure.refreshError
        }
    }

    /// POST /logout, with a refresh token or an access token.
    @Sendable func cognitoLogout(_ context: RequestContext) async throws -> Response {
        let session: BackendSession
        if let token = try logoutRefreshToken(context) {
            do {
                session = try await redeemRefreshToken(token, in: realm(context)).session
            } catch is ClarityGoogleFailure { throw ClarityFastAPIFailure.invalidToken }
        } else {
            guard Bearer(context.request).token != nil || context.request.body.isEmpty else {
                throw ClarityFastAPIFailure.missingRefreshToken
            }
            session = try await authenticateCognitoBearer(context).session
        }
        let now = services.now(in: realm(context))
        try await services.database.write { connection in
            try connection.revoke(session: session.id, reason: .signedOut, at: now)
        }
        return .json(["message": "Successfully logged out"])
    }

    /// An access token that names its session.
    func makeCognitoAccessToken(_ account: Account, _ session: BackendSession) throws -> String {
        try signToken(
            [
                "iss": .string(services.baseURL(of: account.realm) + "/cognito"),
                "sub": .string(account.id),
                "token_use": "access", "scope": "full_access",
                "email": JSON(account.email),
                "session_id": .string(session.id),
                "auth_time": .int(session.createdAt.seconds),
            ], of: account, lifetime: Self.idTokenLifetime)
    }

    /// The account and session of an access token. Throws if the session has ended.
    private func authenticateCognitoBearer(_ context: RequestContext) async throws -> (
        account: Account, session: BackendSession
    ) {
        guard let token = Bearer(context.request).token else {
            throw ClarityFastAPIFailure.notAuthenticated
        }
        guard
            case .valid(let claims) = accessTokens.validate(
                token, at: services.now(in: realm(context))),
            claims.sessionID != nil
        else { throw ClarityFastAPIFailure.invalidToken }
        let realm = realm(context)
        let found = try await services.database.read { connection in
            try connection.session(of: claims, in: realm)
        }
        guard let (session, account) = found, session.revokedAt == nil, account.disabledAt == nil
        else { throw ClarityFastAPIFailure.invalidToken }
        return (account, session)
    }
}
