import Backend
import Crypto
import SQLite
import Web

/// The backend that replaced Firebase: FastAPI in front of Cognito, under `/cognito`, with mailed
/// codes. It shares Firebase's accounts.
extension ClarityContract {
    var cognitoRoutes: [Route] {
        func post(_ name: String, _ handler: @escaping Handler, _ checks: [RequestCheck]) -> Route {
            route(.post, "/cognito/api/v1/auth/\(name)", handler, checks)
        }
        let accountChecks: [RequestCheck] = .json + [.account]
        return [
            post(
                "register", Self.cognitoRegister,
                [.featureEnabled] + .json + [.rateLimit, .emailAvailable]),
            post(
                "login", Self.cognitoLogin,
                .json + [.rateLimit] + .credentials + [.accountActive, .emailVerified]),
            route(
                .get, "/cognito/api/v1/auth/me", Self.cognitoMe,
                .bearer + [.session, .accountActive]),
            route(
                .put, "/cognito/api/v1/auth/me", Self.cognitoUpdate,
                .bearer + [.session, .accountActive] + .json + [.emailAvailable]),
            post(
                "refresh", Self.cognitoRefresh,
                .json + [.refreshToken, .accountActive, .session, .emailVerified]),
            post("logout", Self.cognitoLogout, []),
            post("confirm-email", Self.confirmEmail, accountChecks + .code),
            post("resend-confirmation", Self.resendConfirmation, accountChecks + [.rateLimit]),
            post("forgot-password", Self.forgotPassword, accountChecks + [.rateLimit]),
            post("reset-password", Self.cognitoReset, accountChecks + .code),
        ] + userPoolRoutes
    }

    /// How many wrong passwords lock an address, and for how long.
    static let cognitoFailedLoginLimit = RateLimit(
        name: "cognito guesses", count: 3, window: .seconds(900))
    static let cognitoRegistrationLimit = RateLimit(
        name: "cognito registrations", count: 5, window: .seconds(3_600))
    static let cognitoLoginLimit = RateLimit(
        name: "cognito logins", count: 10, window: .seconds(60))

    /// POST /register: creates an account that awaits its code, or signs in if none is needed.
    func cognitoRegister(_ context: RequestContext) async throws -> Response {
        guard isOn(Self.selfSignUp) else { throw FastAPIFailure.selfSignUpDisabled }
        var fields = try FastAPIBody(context.request)
        let address = fields.emailAddress()
        let password = fields.newPassword("password")
        let name = fields.displayName()
        try fields.check()
        try checkRateLimit(Self.cognitoRegistrationLimit, context)
        guard let address else { throw FastAPIFailure.invalidEmail }
        let needsCode = isOn(Self.emailConfirmation)
        do {
            try await checkEmailAvailable(address)
            let created = try await createAccount(
                address, password, name: name, isVerified: !needsCode,
                awaitsVerification: needsCode)
            if let session = created.session {
                return try cognitoTokenResponse(created.account, session, created.token)
            }
            try await sendCode(.verifyCode, to: created.account)
        } catch let failure as GoogleFailure where failure == .emailExists {
            throw FastAPIFailure.userExists
        }
        return .json(["requires_email_verification": true], status: 202)
    }

    /// POST /login.
    func cognitoLogin(_ context: RequestContext) async throws -> Response {
        var fields = try FastAPIBody(context.request)
        let address = fields.emailAddress()
        let password = fields.text("password", limit: 1 << 16)
        try fields.check()
        try checkRateLimit(Self.cognitoLoginLimit, context)
        guard let address else { throw FastAPIFailure.invalidEmail }
        let account = try await authenticateCognitoUser(email: address, password: password)
        guard account.isVerified else { throw FastAPIFailure.emailNotVerified }
        let (session, token) = try await createSession(account)
        return try cognitoTokenResponse(account, session, token)
    }

    /// The account with this password. Three wrong passwords lock the address.
    private func authenticateCognitoUser(email address: EmailAddress, password: String) async throws
        -> Account
    {
        let limit = Self.cognitoFailedLoginLimit
        let email = address.text
        let account = try await authenticate(
            email: email, password: password, limit: limit, of: email,
            failure: FastAPIFailure.accountLocked, accepts: { $0.disabledAt == nil }
        ).accepted.orThrow(FastAPIFailure.invalidCredentials)
        guard !isLocked(account) else { throw FastAPIFailure.accountLocked }
        services.rateLimits.clear(limit, of: email, in: realm)
        return account
    }

    /// Counts a request of its peer against the limit.
    private func checkRateLimit(_ limit: RateLimit, _ context: RequestContext) throws {
        try count(limit, of: context.request.peer, failure: FastAPIFailure.rateLimited(limit))
    }

    func cognitoTokenResponse(_ account: Account, _ session: BackendSession, _ refreshToken: String)
        throws -> Response
    {
        .json([
            "access_token": .string(try makeCognitoAccessToken(account, session)),
            "refresh_token": .string(refreshToken), "token_type": "bearer",
            "expires_in": .int(tokenLifetimeSeconds(of: account)), "scope": "full_access",
        ])
    }

    /// GET /me.
    func cognitoMe(_ context: RequestContext) async throws -> Response {
        let account = try await authenticateCognitoBearer(context).account
        return .json([
            "user_id": .string(account.id), "email": JSON(account.email),
            "email_verified": .bool(account.isVerified),
            "display_name": JSON(ClarityProfile(account).displayName), "auth_provider": "cognito",
        ])
    }

    /// PUT /me: changes the name, and the address, which is then not verified any more.
    func cognitoUpdate(_ context: RequestContext) async throws -> Response {
        let user = try await authenticateCognitoBearer(context).account
        var fields = try FastAPIBody(context.request)
        let name = fields.displayName()
        let email = fields.text("email", limit: JSONBody.emailLimit, isRequired: false)
        try fields.check()
        let account = try await database.write { connection -> Account in
            let current = try connection.account(user.id, in: realm).orThrow(
                FastAPIFailure.invalidToken)
            if let name {
                var profile = ClarityProfile(current)
                profile.displayName = name
                try connection.setProfile(of: current.id, to: profile.jsonText)
            }
            let address = EmailAddress(email)?.text
            if !email.isEmpty, address != current.email {
                // The real server reports whatever Cognito rejects as a missing user.
                guard let address, try connection.account(email: address, in: realm) == nil else {
                    throw FastAPIFailure.updatedUserNotFound
                }
                try connection.setEmail(of: current.id, to: address, verifiedAt: nil)
            }
            return try connection.account(current.id, in: realm) ?? current
        }
        return .json([
            "user_id": .string(account.id), "email": JSON(account.email),
            "display_name": JSON(ClarityProfile(account).displayName), "updated": true,
        ])
    }

    /// POST /refresh, with the token in the body or as bearer token. The token stays the same.
    func cognitoRefresh(_ context: RequestContext) async throws -> Response {
        guard let token = try readRefreshToken(context) ?? Bearer(context.request).token else {
            throw FastAPIFailure.missingRefreshToken
        }
        do {
            let (session, account) = try await redeemRefreshToken(token)
            // Firebase may have issued the token, which does not require a verified address.
            guard account.isVerified else { throw FastAPIFailure.emailNotVerified }
            return try cognitoTokenResponse(account, session, token)
        } catch is GoogleFailure {
            // The real server's outer handler turns its own 401 into this error.
            throw FastAPIFailure.refreshError
        }
    }

    /// POST /logout, with a refresh token or an access token.
    func cognitoLogout(_ context: RequestContext) async throws -> Response {
        let session: BackendSession
        if let token = try logoutRefreshToken(context) {
            do { session = try await redeemRefreshToken(token).session } catch is GoogleFailure {
                throw FastAPIFailure.invalidToken
            }
        } else {
            guard Bearer(context.request).token != nil || context.request.body.isEmpty else {
                throw FastAPIFailure.missingRefreshToken
            }
            session = try await authenticateCognitoBearer(context).session
        }
        try await signOut(session)
        return .json(["message": "Successfully logged out"])
    }

    /// An access token that names its session.
    func makeCognitoAccessToken(_ account: Account, _ session: BackendSession) throws -> String {
        try signToken(
            [
                "iss": .string(baseURL + "/cognito"), "sub": .string(account.id),
                "token_use": "access", "scope": "full_access", "email": JSON(account.email),
                "session_id": .string(session.id), "auth_time": .int(session.createdAt.seconds),
            ], of: account, lifetime: Self.idTokenLifetime)
    }

    /// The account and session of the bearer token. Throws if the session has ended.
    private func authenticateCognitoBearer(_ context: RequestContext) async throws -> (
        account: Account, session: BackendSession
    ) {
        let token = try Bearer(context.request).token.orThrow(FastAPIFailure.notAuthenticated)
        let (session, account) = try await findCognitoSession(
            of: token, invalid: FastAPIFailure.invalidToken, expired: FastAPIFailure.invalidToken
        ).orThrow(FastAPIFailure.invalidToken)
        guard session.revokedAt == nil, account.disabledAt == nil else {
            throw FastAPIFailure.invalidToken
        }
        return (account, session)
    }

    /// The session that an access token names, with its account, whatever their states; nil if it
    /// is gone.
    func findCognitoSession(
        of token: String, invalid: any ExpectedError, expired: any ExpectedError
    ) async throws -> (session: BackendSession, account: Account)? {
        let claims = try claims(of: token, invalid: invalid, expired: expired)
        guard claims.sessionID != nil else { throw invalid }
        return try await database.read { connection in
            try connection.session(of: claims, in: realm)
        }
    }
}
