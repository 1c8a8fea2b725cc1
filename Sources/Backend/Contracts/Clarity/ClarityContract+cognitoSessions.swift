import SQLite
import Secrets
import Web

extension ClarityContract {
    /// GET /me.
    @Sendable func cognitoMe(_ visit: Visit) async throws -> Response {
        let account = try await cognitoBearer(visit).account
        return .json([
            "user_id": .string(account.id), "email": JSON(account.email),
            "email_verified": .bool(account.isVerified),
            "display_name": JSON(ClarityPerson(account).displayName), "auth_provider": "cognito",
        ])
    }

    /// POST /refresh, the token in the body or as bearer; it stays the same.
    @Sendable func cognitoRefresh(_ visit: Visit) async throws -> Response {
        guard let token = try refreshToken(visit) ?? Bearer(visit.request).token else {
            throw ClarityProblem.missingRefreshToken
        }
        do {
            let (session, account) = try await prolong(token, in: realm(visit))
            // It may have been given by Firebase, which lets anybody in.
            guard account.isVerified else { throw ClarityProblem.emailNotVerified }
            return try cognitoTokens(account, session, token)
        } catch is ClarityFailure {
            // Its 401 never gets out: the outer handler makes this of it.
            throw ClarityProblem.refreshError
        }
    }

    /// POST /logout, with either token.
    @Sendable func cognitoLogout(_ visit: Visit) async throws -> Response {
        let session: Session
        if let token = try leavingToken(visit) {
            do {
                session = try await prolong(token, in: realm(visit)).session
            } catch is ClarityFailure { throw ClarityProblem.invalidToken }
        } else {
            guard Bearer(visit.request).token != nil || visit.request.body.isEmpty else {
                throw ClarityProblem.missingRefreshToken
            }
            session = try await cognitoBearer(visit).session
        }
        let now = premises.now(in: realm(visit))
        try await premises.database.write { connection in
            try connection.revoke(session: session.id, because: .signedOut, at: now)
        }
        return .json(["message": "Successfully logged out"])
    }

    /// An access token; it names its session.
    func cognitoToken(_ account: Account, _ session: Session) throws -> String {
        let now = premises.now(in: account.realm)
        return try tokens.sign(
            [
                "iss": .string(premises.base(of: account.realm) + "/cognito"),
                "sub": .string(account.id),
                "token_use": "access", "scope": "full_access",
                "email": JSON(account.email),
                "session_id": .string(session.id),
                "auth_time": .int(session.createdAt.seconds),
                "iat": .int(now.seconds),
                "exp": .int((now + life(of: account)).seconds),
            ], as: .access)
    }

    /// Who an access token speaks for while its session lasts.
    private func cognitoBearer(_ visit: Visit) async throws -> (account: Account, session: Session)
    {
        guard let token = Bearer(visit.request).token else { throw ClarityProblem.notAuthenticated }
        guard case .valid(let claims) = tokens.read(token, at: premises.now(in: realm(visit))),
            claims.sessionID != nil
        else { throw ClarityProblem.invalidToken }
        let realm = realm(visit)
        let found = try await premises.database.read { connection in
            try connection.session(of: claims, in: realm)
        }
        guard let (session, account) = found, session.revokedAt == nil, account.disabledAt == nil
        else { throw ClarityProblem.invalidToken }
        return (account, session)
    }
}
