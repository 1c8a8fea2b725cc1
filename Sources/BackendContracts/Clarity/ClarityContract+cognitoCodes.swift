import Backend
import Crypto
import SQLite
import Web

/// Six-digit codes by mail.
extension ClarityContract {
    private var codes: OneTimeCodes {
        OneTimeCodes(world: services.world, keyring: accessTokens.keyring)
    }

    /// POST /confirm-email.
    @Sendable func confirmEmail(_ context: RequestContext) async throws -> Response {
        var fields = try ClarityFastAPIBody(context.request)
        let address = fields.emailAddress()
        let code = fields.text("code")
        try fields.check()
        let account = try await findAccount(address, in: realm(context))
        try await redeemCode(code, for: .verifyCode, of: account) { connection, account, now in
            try connection.verifyEmail(of: account.id, at: now)
        }
        return .json(["status": "confirmed"])
    }

    /// POST /reset-password.
    @Sendable func cognitoReset(_ context: RequestContext) async throws -> Response {
        var fields = try ClarityFastAPIBody(context.request)
        let address = fields.emailAddress()
        let code = fields.text("code")
        let password = fields.newPassword("new_password")
        try fields.check()
        let account = try await findAccount(address, in: realm(context))
        // Hashing is expensive, so the code is checked first.
        try await checkCode(code, for: .resetCode, of: account)
        try await applyPasswordReset(by: code, to: password, of: account)
        return .json(["status": "reset"])
    }

    /// Sets the password of `account` with the code mailed to it. `password` is already checked.
    func applyPasswordReset(by code: String, to password: String, of account: Account) async throws
    {
        let hash = try await services.hasher.hash(password)
        try await redeemCode(code, for: .resetCode, of: account) { connection, account, now in
            try connection.applyPasswordReset(hash, of: account, at: now)
        }
        services.rateLimits.clear(
            Self.cognitoFailedLoginLimit, of: account.email ?? "", in: account.realm)
    }

    /// POST /resend-confirmation. The response reveals which addresses have no account.
    @Sendable func resendConfirmation(_ context: RequestContext) async throws -> Response {
        try await respondWithCode(.verifyCode, context)
    }

    /// POST /forgot-password. The response reveals which addresses have no account.
    @Sendable func forgotPassword(_ context: RequestContext) async throws -> Response {
        try await respondWithCode(.resetCode, context)
    }

    private func respondWithCode(_ purpose: Challenge.Purpose, _ context: RequestContext)
        async throws -> Response
    {
        var fields = try ClarityFastAPIBody(context.request)
        let address = fields.emailAddress()
        try fields.check()
        let account = try await findAccount(address, in: realm(context))
        let limit = purpose == .resetCode ? Self.resetMailLimit : Self.verificationMailLimit
        try await countMail(
            limit, to: account.email ?? "", for: purpose, in: account.realm,
            orThrow: ClarityFastAPIFailure.rateLimited(limit))
        try await sendCode(purpose, to: account)
        return .json(["status": "sent"])
    }

    func sendCode(_ purpose: Challenge.Purpose, to account: Account) async throws {
        let email = account.email ?? ""
        let code = codes.makeCode()
        let digest = try codes.digest(code, to: email, for: purpose, in: account.realm)
        let mail = try services.makeMail(
            Self.makeMailTemplate(code, for: purpose), digest: digest, purpose: purpose,
            lifetime: purpose == .resetCode ? Self.resetLifetime : Self.verificationLifetime,
            to: email, account: account.id, in: account.realm)
        _ = try await services.sendCode(mail, replacing: [purpose])
    }

    /// Throws if the code does not work, and counts the attempt.
    private func checkCode(_ code: String, for purpose: Challenge.Purpose, of account: Account)
        async throws
    {
        let attempt = try makeCodeAttempt(code, for: purpose, of: account)
        let now = services.now(in: account.realm)
        let found = try await services.database.write { connection in
            try connection.findChallenge(for: attempt, at: now)
        }
        guard found != nil else { throw ClarityFastAPIFailure.invalidCode }
    }

    /// Redeems `code` and runs `action`, or counts a wrong attempt. `action` gets the account as it
    /// is inside the write.
    private func redeemCode(
        _ code: String, for purpose: Challenge.Purpose, of account: Account,
        _ action: @escaping @Sendable (Connection, Account, Timestamp) throws -> Void
    ) async throws {
        let attempt = try makeCodeAttempt(code, for: purpose, of: account)
        let now = services.now(in: account.realm)
        let used = try await services.database.write { connection -> Challenge? in
            guard let challenge = try connection.findChallenge(for: attempt, at: now),
                let current = try connection.account(account.id, in: account.realm),
                current.email == challenge.email, current.disabledAt == nil
            else { return nil }
            try connection.markUsed(challenge, at: now)
            try action(connection, current, now)
            return challenge
        }
        guard let used else { throw ClarityFastAPIFailure.invalidCode }
        services.mailbox.publishUsed(of: used)
    }

    private func makeCodeAttempt(
        _ code: String, for purpose: Challenge.Purpose, of account: Account
    ) throws -> ClarityCodeAttempt {
        let email = account.email ?? ""
        return ClarityCodeAttempt(
            digest: try codes.digest(code, to: email, for: purpose, in: account.realm),
            purpose: purpose, email: email, realm: account.realm)
    }

    private func findAccount(_ address: EmailAddress?, in realm: Realm) async throws -> Account {
        guard let address else { throw ClarityFastAPIFailure.invalidEmail }
        let account = try await services.account(email: address.text, in: realm)
        guard let account else { throw ClarityFastAPIFailure.userNotFound }
        return account
    }
}

/// One attempt to redeem a mailed code.
struct ClarityCodeAttempt: Sendable {
    /// The digest of the entered digits, under which a correct code is stored.
    let digest: String
    let purpose: Challenge.Purpose
    /// Normalized.
    let email: String
    let realm: Realm
    let faultTicket = FaultTicket.current

    /// How many wrong attempts invalidate a code.
    static let maxAttempts = 5
}

extension Connection {
    /// The challenge whose code was entered, if it is valid. Otherwise counts the attempt and, at
    /// `maxAttempts`, invalidates the code.
    func findChallenge(for attempt: ClarityCodeAttempt, at now: Timestamp) throws -> Challenge? {
        let found = try challenge(attempt.digest, for: attempt.purpose, in: attempt.realm)
        if let found, found.state(at: now) == .valid,
            attempt.faultTicket?.triggers(.codeExpired) != true
        {
            return found
        }
        let failedAttempts = try countFailedAttempt(
            at: attempt.email, for: [attempt.purpose], in: attempt.realm, at: now)
        if failedAttempts >= ClarityCodeAttempt.maxAttempts {
            try invalidateCodes(
                of: attempt.email, for: [attempt.purpose], in: attempt.realm, at: now)
        }
        return nil
    }
}
