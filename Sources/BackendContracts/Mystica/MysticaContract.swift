import Backend
import Crypto
import FoundationEssentials
import SQLite
import Web

/// Mystica's server as F-07 specifies it: flat responses, the status codes of its table, e-mail
/// accounts and anonymous devices.
struct MysticaContract: Contract {
    let services: ContractContext
    let accessTokens: AccessTokens
    var realm: Realm
    let mailLimit = MailLimit()

    /// As the real server's authentication limits an address (feature note of F-07).
    static let failedLoginLimit = RateLimit(name: "failed logins", count: 5, window: .seconds(900))

    static let id = "mystica"

    /// Users' tokens can be verified with a public key, devices' tokens by the server alone, as at
    /// the real server.
    static let keyAlgorithms: [Keyring.Role: SigningKey.Algorithm] = [
        .access: .es256, .device: .hs256,
    ]

    /// One hour for users, thirty days for devices (F-07, Token expiration; the real server's
    /// `expires_in` 2592000).
    static let accessTokenLifetime: Duration = .seconds(3_600)
    static let deviceTokenLifetime: Duration = .seconds(2_592_000)

    func makeFailureResponse(_ error: any Error, to request: Request) -> Response {
        MysticaFailure(error, to: request).response(at: services.now(for: request))
    }

    var routes: [Route] {
        [
            route(.post, "/api/v1/auth/register", Self.register, .json + [.emailAvailable]),
            route(
                .post, "/api/v1/auth/login", Self.login,
                .json + [.rateLimit] + .credentials + [.accountActive, .emailVerified]),
            route(
                .get, "/api/v1/auth/me", Self.me,
                .bearer + [.session, .accountActive, .emailVerified]),
            route(
                .post, "/api/v1/auth/refresh", Self.refresh,
                .json + .refreshToken + [.accountActive]),
            route(.post, "/api/v1/auth/logout", Self.logout, [.authorizationHeader]),
            route(.post, "/api/v1/auth/resend-verification", Self.resend, .json),
            route(.post, "/api/v1/auth/reset-password", Self.resetPassword, .json),
            route(
                .post, "/api/v1/auth/register-device", Self.registerDevice, .json + [.accountActive]
            ),
            route(.get, "/api/v1/health", Self.health),
            route(.get, "/.well-known/jwks.json", Self.jwks),
            route(.get, "/verify", Self.verify),
            route(.get, "/reset", Self.showResetForm),
            route(.post, "/reset", Self.reset),
            route(.get, "/page.css", Self.styleSheet),
        ]
    }

    func health(_ context: RequestContext) async throws -> Response {
        .json(["status": "healthy", "timestamp": .string(now.date.iso8601)])
    }
}

/// Account administration as done directly in the server's tables.
extension MysticaContract {
    static func passwordError(_ password: String) -> String? {
        passwordError(password, minLength: minPasswordLength)
    }

    static func setPassword(
        to hash: String, of account: Account, on connection: Connection, at now: Timestamp
    ) throws {
        try connection.setPassword(of: account.id, hash: hash)
        try connection.revokeSessions(of: account.id, reason: .passwordChanged, at: now)
    }

    static func explanation(of action: AdminAction) -> String {
        switch action {
        case .verify:
            "The next login and account request succeed. Sessions remain valid; a token keeps "
                + "its old claim until it is refreshed."
        case .unverify:
            "Login and account return 401 email_not_verified until the account is verified "
                + "again. Sessions remain valid."
        case .disable:
            "Login, account and refresh return 401 account_disabled. Sessions resume when the "
                + "account is enabled."
        case .enable: "The account can sign in; its sessions resume."
        case .lock:
            "Login, account and refresh return 429 account_locked with Retry-After until then. "
                + "Sessions resume afterwards."
        case .unlock: "The account can sign in; its sessions resume."
        case .setPassword:
            "Ends all its sessions, like a password reset by email: access and refresh tokens "
                + "are rejected at once."
        case .signOut: "Ends all its sessions: access and refresh tokens are rejected at once."
        case .delete:
            "Deletes the account with its sessions, links and codes; its tokens are rejected at "
                + "once. Received messages stay in the mailbox."
        }
    }
}

/// Sessions.
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
            try await write { connection, now in
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
