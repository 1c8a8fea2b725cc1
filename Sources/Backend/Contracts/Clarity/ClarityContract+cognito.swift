import SQLite
import Secrets
import Web

/// The backend that took Firebase's place: FastAPI in front of Cognito, below
/// `/cognito`, with codes by mail. People are the same as Firebase's.
extension ClarityContract {
    var cognitoRoutes: [Route] {
        func post(_ name: String, _ handler: @escaping Route.Handler, _ checks: [Check]) -> Route {
            route(.post, "/cognito/api/v1/auth/\(name)", handler, checks)
        }
        let known: [Check] = .json + [.account]
        return [
            post("register", cognitoRegister, [.setting] + .json + [.limit, .addressFree]),
            post("login", cognitoLogin, .json + [.limit] + .credentials + [.standing, .verified]),
            route(.get, "/cognito/api/v1/auth/me", cognitoMe, .bearer + [.session, .standing]),
            post("refresh", cognitoRefresh, .json + [.refresh, .standing, .session, .verified]),
            post("logout", cognitoLogout, []), post("confirm-email", confirmEmail, known + .code),
            post("resend-confirmation", resendConfirmation, known + [.limit]),
            post("forgot-password", forgotPassword, known + [.limit]),
            post("reset-password", cognitoReset, known + .code),
        ]
    }

    /// Wrong passwords in a row that lock an address, and for how long.
    static let cognitoGuesses = RateLimit(name: "cognito guesses", count: 3, window: .seconds(900))
    static let cognitoRegistrations = RateLimit(
        name: "cognito registrations", count: 5, window: .seconds(3_600))
    static let cognitoLogins = RateLimit(name: "cognito logins", count: 10, window: .seconds(60))

    /// POST /register: an account that waits for its code.
    @Sendable func cognitoRegister(_ visit: Visit) async throws -> Response {
        let realm = realm(visit)
        guard isOn(Self.selfSignUp, realm) else { throw ClarityProblem.selfSignUpDisabled }
        var fields = try ClarityFields(visit.request)
        let address = fields.address()
        let password = fields.newPassword("password")
        let name = fields.displayName()
        try fields.check()
        try limit(Self.cognitoRegistrations, visit)
        guard let address else { throw ClarityProblem.invalidEmail }
        do {
            try await refuseTaken(address, in: realm)
            let joined = try await join(address, password, name: name, waits: true, in: realm)
            try await sendCode(.verifyCode, to: joined.account)
        } catch let failure as ClarityFailure where failure == .emailExists {
            throw ClarityProblem(409, "User already exists")
        }
        return .json(["requires_email_verification": true], status: 202)
    }

    /// POST /login.
    @Sendable func cognitoLogin(_ visit: Visit) async throws -> Response {
        let realm = realm(visit)
        var fields = try ClarityFields(visit.request)
        let address = fields.address()
        let password = fields.text("password", limit: 1 << 16)
        try fields.check()
        try limit(Self.cognitoLogins, visit)
        guard let address else { throw ClarityProblem.invalidEmail }
        let account = try await cognitoOwner(of: address, password, in: realm)
        guard account.isVerified else { throw ClarityProblem.emailNotVerified }
        let (session, token) = try await enter(account)
        return try cognitoTokens(account, session, token)
    }

    /// The account whose password this is; three wrong ones lock it.
    private func cognitoOwner(of address: EmailAddress, _ password: String, in realm: Realm)
        async throws -> Account
    {
        let guesses = Self.cognitoGuesses
        let email = address.text
        func checkLock() throws(ClarityProblem) {
            let end = premises.limits.freeAt(
                guesses, of: email, in: realm, at: premises.now(in: realm))
            guard end == nil else { throw .accountLocked }
        }
        try checkLock()
        let found = try await premises.database.read { connection in
            try connection.account(email: email, in: realm)
        }
        let isRight = try await premises.hasher.verify(password, against: found?.passwordHash)
        guard isRight, let found, found.disabledAt == nil else {
            // Of many at once only so many are told.
            let end = premises.limits.take(
                guesses, of: email, in: realm, at: premises.now(in: realm))
            throw end == nil ? ClarityProblem.invalidCredentials : .accountLocked
        }
        // Nor does a right guess among them count that came too late.
        try checkLock()
        guard !found.isLocked(at: premises.now(in: realm)), !premises.isLockedOut else {
            throw ClarityProblem.accountLocked
        }
        premises.limits.clear(guesses, of: email, in: realm)
        return found
    }

    /// Counts one more request of whoever sends it.
    private func limit(_ limit: RateLimit, _ visit: Visit) throws {
        let end = premises.limits.take(
            limit, of: visit.request.peer, in: realm(visit), at: premises.now(in: realm(visit)))
        guard end == nil else { throw ClarityProblem.rateLimited(limit) }
    }

    func cognitoTokens(_ account: Account, _ session: Session, _ refreshToken: String) throws
        -> Response
    {
        .json([
            "access_token": .string(
                try cognitoToken(account, session)),
            "refresh_token": .string(refreshToken),
            "token_type": "bearer",
            "expires_in": .int(seconds(of: account)),
            "scope": "full_access",
        ])
    }
}
