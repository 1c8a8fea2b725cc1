import Backend
import FoundationEssentials
import SQLite
import Web

/// The specification's dialect ("API Endpoints").
extension BobContract {
    /// POST /api/auth/login.
    func login(_ context: RequestContext) async throws -> Response {
        let body = try JSONBody(context.request)
        let email = try body.email()
        let password = try body.password()
        guard let email, let password else {
            throw BobFailure(400, "Email and password are required")
        }
        let account = try await authenticate(email: EmailAddress(email)?.text, password: password)
            .accepted.orThrow(BobFailure.invalidCredentials)
        let (session, refreshToken) = try await signIn(account, .specification)
        return .json([
            "user": userJSON(account), "tokens": try tokensJSON(account, session, refreshToken),
        ])
    }

    /// POST /api/auth/register, which the specification reserves "for future use": creates an
    /// account without a session.
    func register(_ context: RequestContext) async throws -> Response {
        let body = try JSONBody(context.request)
        let email = try body.email()
        let password = try body.password()
        // The specification names no fields, so both the spelling of its responses and the real
        // server's are accepted.
        func readText(_ snakeCaseName: String, _ camelCaseName: String) throws -> String? {
            try body.text(snakeCaseName) ?? body.text(camelCaseName)
        }
        let first = try readText("first_name", "firstName")
        let last = try readText("last_name", "lastName")
        let phone = try readText("phone_number", "phoneNumber")
        guard let email, let password, let first, let last else {
            throw BobFailure(400, "Email, password, first name and last name are required")
        }
        let address = try EmailAddress(email).orThrow(
            BobFailure(400, "Please enter a valid email address"))
        // The login screen's rule, so that every registered account can sign in.
        guard password.utf16.count >= 6 else {
            throw BobFailure(400, "Password must be at least 6 characters")
        }
        let account = try await createAccount(
            address, password,
            BobProfile(
                firstName: first, lastName: last, phoneNumber: phone,
                role: BobDialect.specification.defaultRole))
        return .json(["user": userJSON(account)], status: 201)
    }

    /// POST /api/auth/refresh.
    func refresh(_ context: RequestContext) async throws -> Response {
        let body = try JSONBody(context.request)
        let token = try body.text("refresh_token", limit: JSONBody.tokenLimit).orThrow(
            BobFailure.missingRefreshToken)
        let outcome = try await rotate(token, dialect: .specification)
        switch outcome {
        case .unknown: throw BobFailure.invalidRefreshToken
        // The specification has only 401, which leads the app to the login.
        case .rejected(_, .reuseDetected):
            throw BobFailure(401, "Refresh token was used before", .anyRefreshToken)
        case .rejected(_, let ending): throw BobFailure.refreshTokenEnded(ending)
        case .rotated(let session, let account, let refreshToken):
            return .json(try tokensJSON(account, session, refreshToken))
        }
    }

    /// POST /api/auth/logout: ends the token's session, and with it the token. The response body is
    /// empty.
    func logout(_ context: RequestContext) async throws -> Response {
        let claims = try authenticateBearer(context)
        let now = now
        try await database.write { connection in
            guard let id = claims.sessionID,
                let (session, _) = try connection.session(id, in: realm), session.revokedAt == nil
            else { throw BobFailure.invalidAccessToken }
            try connection.revoke(session: session.id, reason: .signedOut, at: now)
        }
        return Response(status: 200)
    }

    /// Leaves `refresh_token` out if there is no new one.
    private func tokensJSON(_ account: Account, _ session: BackendSession, _ refreshToken: String?)
        throws -> JSON
    {
        let dialect = BobDialect.specification
        let lifetime = accessTokens.lifetime(dialect.accessTokenLifetime, of: account)
        return .omittingNil([
            "access_token": .string(try makeAccessToken(account, session, dialect)),
            "refresh_token": refreshToken.map(JSON.string),
            "expires_in": .int(lifetime.components.seconds),
        ])
    }

    private func userJSON(_ account: Account) -> JSON {
        let profile = BobProfile(account)
        let createdAt = JSON.string(account.createdAt.iso8601Seconds)
        return [
            "id": .string(account.id), "email": JSON(account.email),
            "first_name": .string(profile.firstName), "last_name": .string(profile.lastName),
            "role": .string(profile.role), "created_at": createdAt,
            // Nothing changes an account after its creation.
            "updated_at": createdAt,
        ]
    }
}
