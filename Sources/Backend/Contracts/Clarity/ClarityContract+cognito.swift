import Crypto
import SQLite
import Web

/// The backend that took Firebase's place: FastAPI in front of Cognito, below
/// `/cognito`, with codes by mail. People are the same as Firebase's.
extension ClarityContract {
    var cognitoRoutes: [Route] {
        func post(_ name: String, _ handler: @escaping Route.Handler, _ checks: [RequestCheck])
            -> Route
        {
            route(.post, "/cognito/api/v1/auth/\(name)", handler, checks)
        }
        let known: [RequestCheck] = .json + [.account]
        return [
            post(
                "register", cognitoRegister,
                [.featureEnabled] + .json + [.rateLimit, .emailAvailable]),
            post(
                "login", cognitoLogin,
                .json + [.rateLimit] + .credentials + [.accountActive, .emailVerified]),
            route(
                .get, "/cognito/api/v1/auth/me", cognitoMe, .bearer + [.session, .accountActive]),
            post(
                "refresh", cognitoRefresh,
                .json + [.refreshToken, .accountActive, .session, .emailVerified]),
            post("logout", cognitoLogout, []), post("confirm-email", confirmEmail, known + .code),
            post("resend-confirmation", resendConfirmation, known + [.rateLimit]),
            post("forgot-password", forgotPassword, known + [.rateLimit]),
            post("reset-password", cognitoReset, known + .code),
        ]
    }

    /// Wrong passwords in a row that lock an address, and for how long.
    static let cognitoFailedLoginLimit = RateLimit(
        name: "cognito guesses", count: 3, window: .seconds(900))
    static let cognitoRegistrationLimit = RateLimit(
        name: "cognito registrations", count: 5, window: .seconds(3_600))
    static let cognitoLoginLimit = RateLimit(
        name: "cognito logins", count: 10, window: .seconds(60))

    /// POST /register: an account that waits for its code.
    @Sendable func cognitoRegister(_ context: RequestContext) async throws -> Response {
        let realm = realm(context)
        guard isOn(Self.selfSignUp, realm) else { throw ClarityFastAPIFailure.selfSignUpDisabled }
        var fields = try ClarityFastAPIBody(context.request)
        let address = fields.emailAddress()
        let password = fields.newPassword("password")
        let name = fields.displayName()
        try fields.check()
        try checkRateLimit(Self.cognitoRegistrationLimit, context)
        guard let address else { throw ClarityFastAPIFailure.invalidEmail }
        do {
            try await checkEmailAvailable(address, in: realm)
            let joined = try await createAccount(
                address, password, name: name, awaitsVerification: true, in: realm)
            try await sendCode(.verifyCode, to: joined.account)
        } catch let failure as ClarityGoogleFailure where failure == .emailExists {
            throw ClarityFastAPIFailure(409, "User already exists")
        }
        return .json(["requires_email_verification": true], status: 202)
    }

    /// POST /login.
    @Sendable func cognitoLogin(_ context: RequestContext) async throws -> Response {
        let realm = realm(context)
        var fields = try ClarityFastAPIBody(context.request)
        let address = fields.emailAddress()
        let password = fields.text("password", limit: 1 << 16)
        try fields.check()
        try checkRateLimit(Self.cognitoLoginLimit, context)
        guard let address else { throw ClarityFastAPIFailure.invalidEmail }
        let account = try await authenticateCognitoUser(
            email: address, password: password, in: realm)
        guard account.isVerified else { throw ClarityFastAPIFailure.emailNotVerified }
        let (session, token) = try await createSession(account)
        return try cognitoTokenResponse(account, session, token)
    }

    /// The account whose password this is; three wrong ones lock it.
    private func authenticateCognitoUser(
        email address: EmailAddress, password: String, in realm: Realm
    )
        async throws -> Account
    {
        let guesses = Self.cognitoFailedLoginLimit
        let email = address.text
        func checkLock() throws(ClarityFastAPIFailure) {
            let end = services.rateLimits.nextAllowedAt(
                guesses, of: email, in: realm, at: services.now(in: realm))
            guard end == nil else { throw .accountLocked }
        }
        try checkLock()
        let found = try await services.database.read { connection in
            try connection.account(email: email, in: realm)
        }
        let isRight = try await services.hasher.verify(password, against: found?.passwordHash)
        guard isRight, let found, found.disabledAt == nil else {
            // Of many at once only so many are told.
            let end = services.rateLimits.consume(
                guesses, of: email, in: realm, at: services.now(in: realm))
            throw end == nil ? ClarityFastAPIFailure.invalidCredentials : .accountLocked
        }
        // Nor does a right guess among them count that came too late.
        try checkLock()
        guard !found.isLocked(at: services.now(in: realm)), !services.isAccountLockSimulated else {
            throw ClarityFastAPIFailure.accountLocked
        }
        services.rateLimits.clear(guesses, of: email, in: realm)
        return found
    }

    /// Counts one more request of whoever sends it.
    private func checkRateLimit(_ limit: RateLimit, _ context: RequestContext) throws {
        let end = services.rateLimits.consume(
            limit, of: context.request.peer, in: realm(context),
            at: services.now(in: realm(context)))
        guard end == nil else { throw ClarityFastAPIFailure.rateLimited(limit) }
    }

    func cognitoTokenResponse(_ account: Account, _ session: BackendSession, _ refreshToken: String)
        throws
        -> Response
    {
        .json([
            "access_token": .string(
                try makeCognitoAccessToken(account, session)),
            "refresh_token": .string(refreshToken),
            "token_type": "bearer",
            "expires_in": .int(tokenLifetimeSeconds(of: account)),
            "scope": "full_access",
        ])
    }
}
