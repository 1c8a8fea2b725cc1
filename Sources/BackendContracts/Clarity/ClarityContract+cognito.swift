import Backend
import Crypto
import SQLite
import Web

/// The backend that replaced Firebase: FastAPI in front of Cognito, under `/cognito`, with mailed
/// codes. It shares Firebase's accounts.
extension ClarityContract {
    var cognitoRoutes: [Route] {
        func post(_ name: String, _ handler: @escaping Route.Handler, _ checks: [RequestCheck])
            -> Route
        {
            route(.post, "/cognito/api/v1/auth/\(name)", handler, checks)
        }
        let accountChecks: [RequestCheck] = .json + [.account]
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
            post("logout", cognitoLogout, []),
            post("confirm-email", confirmEmail, accountChecks + .code),
            post("resend-confirmation", resendConfirmation, accountChecks + [.rateLimit]),
            post("forgot-password", forgotPassword, accountChecks + [.rateLimit]),
            post("reset-password", cognitoReset, accountChecks + .code),
        ]
    }

    /// How many wrong passwords lock an address, and for how long.
    static let cognitoFailedLoginLimit = RateLimit(
        name: "cognito guesses", count: 3, window: .seconds(900))
    static let cognitoRegistrationLimit = RateLimit(
        name: "cognito registrations", count: 5, window: .seconds(3_600))
    static let cognitoLoginLimit = RateLimit(
        name: "cognito logins", count: 10, window: .seconds(60))

    /// POST /register: creates an account that awaits its code.
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
            let created = try await createAccount(
                address, password, name: name, awaitsVerification: true, in: realm)
            try await sendCode(.verifyCode, to: created.account)
        } catch let failure as ClarityGoogleFailure where failure == .emailExists {
            throw ClarityFastAPIFailure.userExists
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

    /// The account with this password. Three wrong passwords lock the address.
    private func authenticateCognitoUser(
        email address: EmailAddress, password: String, in realm: Realm
    )
        async throws -> Account
    {
        let limit = Self.cognitoFailedLoginLimit
        let email = address.text
        let (found, isAccepted) = try await services.authenticate(
            email: email, password: password, in: realm, limit: limit, of: email,
            failure: ClarityFastAPIFailure.accountLocked, accepts: { $0.disabledAt == nil })
        guard isAccepted, let account = found else {
            throw ClarityFastAPIFailure.invalidCredentials
        }
        guard !account.isLocked(at: services.now(in: realm)), !services.isAccountLockSimulated
        else {
            throw ClarityFastAPIFailure.accountLocked
        }
        services.rateLimits.clear(limit, of: email, in: realm)
        return account
    }

    /// Counts a request of its peer against the limit.
    private func checkRateLimit(_ limit: RateLimit, _ context: RequestContext) throws {
        try services.count(
            limit, of: context.request.peer, in: realm(context),
            failure: ClarityFastAPIFailure.rateLimited(limit))
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
