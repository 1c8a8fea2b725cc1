import Backend
import Crypto
import SQLite
import Web

/// Six-digit codes by mail.
extension ClarityContract {
    /// POST /confirm-email.
    func confirmEmail(_ context: RequestContext) async throws -> Response {
        var fields = try FastAPIBody(context.request)
        let address = fields.emailAddress()
        let code = fields.text("code")
        try fields.check()
        let account = try await findAccount(address)
        try await redeemCode(code, for: .verifyCode, of: account) { connection, account, now in
            try connection.verifyEmail(of: account.id, at: now)
        }
        return .json(["status": "confirmed"])
    }

    /// POST /reset-password.
    func cognitoReset(_ context: RequestContext) async throws -> Response {
        var fields = try FastAPIBody(context.request)
        let address = fields.emailAddress()
        let code = fields.text("code")
        let password = fields.newPassword("new_password")
        try fields.check()
        let account = try await findAccount(address)
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
    func resendConfirmation(_ context: RequestContext) async throws -> Response {
        try await respondWithCode(.verifyCode, context)
    }

    /// POST /forgot-password. The response reveals which addresses have no account.
    func forgotPassword(_ context: RequestContext) async throws -> Response {
        try await respondWithCode(.resetCode, context)
    }

    private func respondWithCode(_ purpose: Challenge.Purpose, _ context: RequestContext)
        async throws -> Response
    {
        var fields = try FastAPIBody(context.request)
        let address = fields.emailAddress()
        try fields.check()
        let account = try await findAccount(address)
        let limit = purpose == .resetCode ? Self.resetMailLimit : Self.verificationMailLimit
        try await countMail(
            limit, to: account.email ?? "", for: purpose, orThrow: FastAPIFailure.rateLimited(limit)
        )
        try await sendCode(purpose, to: account)
        return .json(["status": "sent"])
    }

    func sendCode(_ purpose: Challenge.Purpose, to account: Account) async throws {
        let mail = try makeCodeMail(
            for: purpose,
            lifetime: purpose == .resetCode ? Self.resetLifetime : Self.verificationLifetime,
            to: account.email ?? "", account: account.id
        ) { Self.makeMailTemplate($0, for: purpose) }
        _ = try await sendCode(mail, replacing: [purpose])
    }

    /// Throws if the code does not work, and counts the attempt.
    private func checkCode(_ code: String, for purpose: Challenge.Purpose, of account: Account)
        async throws
    {
        let attempt = try makeCodeAttempt(code, of: account.email ?? "", for: [purpose])
        let found = try await database.write { connection in
            try Self.findChallenge(for: attempt, on: connection)
        }
        guard found != nil else { throw FastAPIFailure.invalidCode }
    }

    /// Redeems `code` and runs `action`, or counts a wrong attempt. `action` gets the account as it
    /// is inside the write.
    private func redeemCode(
        _ code: String, for purpose: Challenge.Purpose, of account: Account,
        _ action: @escaping @Sendable (Connection, Account, Timestamp) throws -> Void
    ) async throws {
        let attempt = try makeCodeAttempt(code, of: account.email ?? "", for: [purpose])
        let used = try await database.write { connection -> Challenge? in
            guard let challenge = try Self.findChallenge(for: attempt, on: connection),
                let current = try connection.account(account.id, in: realm),
                current.email == challenge.email, current.disabledAt == nil
            else { return nil }
            try connection.markUsed(challenge, at: attempt.now)
            try action(connection, current, attempt.now)
            return challenge
        }
        guard let used else { throw FastAPIFailure.invalidCode }
        services.mailbox.publishUsed(of: used)
    }

    /// How many wrong attempts invalidate a code.
    private static let maxCodeAttempts = 5

    /// The challenge whose code was entered, if it is valid. Otherwise counts the attempt and, at
    /// `maxCodeAttempts`, invalidates the code.
    private static func findChallenge(for attempt: CodeAttempt, on connection: Connection) throws
        -> Challenge?
    {
        if case .valid(let challenge) = try attempt.check(on: connection) { return challenge }
        if try attempt.countFailure(on: connection) >= maxCodeAttempts {
            try connection.invalidateCodes(
                of: attempt.email, for: attempt.digests.map(\.purpose), in: attempt.realm,
                at: attempt.now)
        }
        return nil
    }

    private func findAccount(_ address: EmailAddress?) async throws -> Account {
        guard let address else { throw FastAPIFailure.invalidEmail }
        let account = try await findAccount(email: address.text).orThrow(
            FastAPIFailure.userNotFound)
        return account
    }
}
