import SQLite
import Secrets
import Web

/// Codes of six digits, by mail.
extension ClarityContract {
    private var codes: Codes { Codes(world: premises.world, keyring: tokens.keyring) }

    /// POST /confirm-email.
    @Sendable func confirmEmail(_ visit: Visit) async throws -> Response {
        var fields = try ClarityFields(visit.request)
        let address = fields.address()
        let code = fields.text("code")
        try fields.check()
        let account = try await known(address, in: realm(visit))
        try await use(code, for: .verifyCode, of: account) { connection, account, now in
            try connection.verifyEmail(of: account.id, at: now)
        }
        return .json(["status": "confirmed"])
    }

    /// POST /reset-password.
    @Sendable func cognitoReset(_ visit: Visit) async throws -> Response {
        var fields = try ClarityFields(visit.request)
        let address = fields.address()
        let code = fields.text("code")
        let password = fields.newPassword("new_password")
        try fields.check()
        let account = try await known(address, in: realm(visit))
        // Hashing costs: nobody has it done who has no code.
        try await judge(code, for: .resetCode, of: account)
        try await reset(by: code, to: password, of: account)
        return .json(["status": "reset"])
    }

    /// Sets the password of `account` by the digits mailed to it. `password`
    /// was checked.
    func reset(by code: String, to password: String, of account: Account) async throws {
        let hash = try await premises.hasher.hash(password)
        try await use(code, for: .resetCode, of: account) { connection, account, now in
            try connection.takePassword(hash, of: account, at: now)
        }
        premises.limits.clear(Self.cognitoGuesses, of: account.email ?? "", in: account.realm)
    }

    /// POST /resend-confirmation; it tells who has no account.
    @Sendable func resendConfirmation(_ visit: Visit) async throws -> Response {
        try await send(.verifyCode, visit)
    }

    /// POST /forgot-password; so does it.
    @Sendable func forgotPassword(_ visit: Visit) async throws -> Response {
        try await send(.resetCode, visit)
    }

    private func send(_ purpose: Challenge.Purpose, _ visit: Visit) async throws -> Response {
        var fields = try ClarityFields(visit.request)
        let address = fields.address()
        try fields.check()
        let account = try await known(address, in: realm(visit))
        let limit = purpose == .resetCode ? Self.resetMails : Self.verifyMails
        try await take(
            limit, to: account.email ?? "", for: purpose, in: account.realm,
            or: ClarityProblem.rateLimited(limit))
        try await sendCode(purpose, to: account)
        return .json(["status": "sent"])
    }

    func sendCode(_ purpose: Challenge.Purpose, to account: Account) async throws {
        let email = account.email ?? ""
        let code = codes.make()
        let digest = try codes.digest(code, to: email, for: purpose, in: account.realm)
        let letter = try premises.letter(
            Self.words(code, for: purpose), digest: digest, purpose: purpose,
            life: purpose == .resetCode ? Self.resetLife : Self.verificationLife, to: email,
            account: account.id, in: account.realm)
        let place = try await premises.database.write { [premises] connection -> Int64? in
            // Only the newest works, though its digits were sent before.
            try connection.endCodes(
                of: email, for: [purpose], in: account.realm, at: letter.challenge.createdAt)
            try connection.addCode(letter.challenge)
            return try premises.mailbox.send(letter.envelope, limit: .none, on: connection)
        }
        premises.mailbox.announce(letter.envelope, at: place)
    }

    /// Refuses a code that does not work, and counts the guess.
    private func judge(_ code: String, for purpose: Challenge.Purpose, of account: Account)
        async throws
    {
        let guess = try guess(code, for: purpose, of: account)
        let now = premises.now(in: account.realm)
        let found = try await premises.database.write { connection in
            try connection.find(guess, at: now)
        }
        guard found != nil else { throw ClarityProblem.invalidCode }
    }

    /// Uses `code` up and does what it is for, or counts a wrong guess. `act`
    /// is given the account as it is by then.
    private func use(
        _ code: String, for purpose: Challenge.Purpose, of account: Account,
        _ act: @escaping @Sendable (Connection, Account, Moment) throws -> Void
    ) async throws {
        let guess = try guess(code, for: purpose, of: account)
        let now = premises.now(in: account.realm)
        let used = try await premises.database.write { connection -> Challenge? in
            guard let challenge = try connection.find(guess, at: now),
                let current = try connection.account(account.id, in: account.realm),
                current.email == challenge.email, current.disabledAt == nil
            else { return nil }
            try connection.use(challenge, at: now)
            try act(connection, current, now)
            return challenge
        }
        guard let used else { throw ClarityProblem.invalidCode }
        premises.mailbox.announceUse(of: used)
    }

    private func guess(_ code: String, for purpose: Challenge.Purpose, of account: Account) throws
        -> ClarityGuess
    {
        let email = account.email ?? ""
        return ClarityGuess(
            digest: try codes.digest(code, to: email, for: purpose, in: account.realm),
            purpose: purpose, email: email, realm: account.realm)
    }

    private func known(_ address: EmailAddress?, in realm: Realm) async throws -> Account {
        guard let address else { throw ClarityProblem.invalidEmail }
        let account = try await premises.database.read { connection in
            try connection.account(email: address.text, in: realm)
        }
        guard let account else { throw ClarityProblem.userNotFound }
        return account
    }
}
