import Backend
import Crypto
import SQLite
import Web

extension SocotoContract {
    /// POST /signup.
    func signUp(_ context: RequestContext) async throws -> Response {
        guard isOn(Self.signups) else { throw GoTrueFailure.signupsDisabled }
        let request = try SignUpRequest(context)
        let requiresConfirmation = isOn(Self.confirmEmail)
        let existing = try await findAccount(email: request.email)
        if let existing, existing.emailVerifiedAt != nil {
            return try await respondToTakenEmail(request, requiresConfirmation)
        }
        let now = now
        let account = try await findOrCreateAccount(existing, request, at: now)
        guard requiresConfirmation else {
            return .authJSON(try sessionJSON(try await confirmAndSignIn(account, request, at: now)))
        }
        let mail = try makeMail(
            .signup, to: request.email, account: account, context, request.challenge, at: now)
        let user = try await sendAndRecord(mail, to: account, request.challenge) {
            $0.confirmationSentAt = now
        }
        return .authJSON(user.userObject(account))
    }

    /// The validated parameters of a sign-up.
    fileprivate struct SignUpRequest: Sendable {
        let email: String
        let password: String
        let metadata: [JSON.Member]
        let challenge: PKCEChallenge?

        /// Validates in the real server's order: the password before the address.
        init(_ context: RequestContext) throws(GoTrueFailure) {
            let body = try GoTrueBody(context.request, as: "SignupParams")
            let address = try body.text("email")
            let phone = try body.text("phone")
            guard !address.isEmpty || !phone.isEmpty else { throw .anonymousSignInsDisabled }
            password = try body.text("password")
            guard !password.isEmpty else { throw .invalid("Signup requires a valid password") }
            try PasswordPolicy.check(password)
            guard address.isEmpty || phone.isEmpty else {
                throw .invalid(
                    "Only an email address or phone number should be provided on signup.")
            }
            challenge = try PKCEChallenge(body)
            guard phone.isEmpty else { throw .phoneSignupsDisabled }
            email = try GoTrueEmailAddress.parse(address)
            metadata = try body.object("data") ?? []
            try SocotoUser.checkSize(metadata)
        }
    }

    /// Responds to a sign-up with a confirmed address. It fails openly only if sign-ups need no
    /// confirmation. Otherwise the response is a decoy user.
    private func respondToTakenEmail(_ request: SignUpRequest, _ requiresConfirmation: Bool)
        async throws -> Response
    {
        // Hashing takes as long as creating an account does, so that timing reveals nothing.
        _ = try await services.hasher.hash(request.password)
        guard requiresConfirmation else { throw GoTrueFailure.userExists }
        let now = now
        try await database.write { connection in
            try connection.record(
                MailRequest(
                    realm: realm, email: request.email, purpose: Challenge.Purpose.verify.rawValue,
                    outcome: .alreadyVerified, requestedAt: now))
        }
        return .authJSON(
            SocotoUser.decoyUserObject(
                id: RandomTokens.uuid(services.world), email: request.email,
                metadata: request.metadata, at: now))
    }

    /// Returns an existing account unchanged, because its address is not confirmed yet, or creates
    /// one.
    private func findOrCreateAccount(
        _ existing: Account?, _ request: SignUpRequest, at now: Timestamp
    ) async throws -> Account {
        let hash = try await services.hasher.hash(request.password)
        if let existing { return existing }
        var user = SocotoUser(
            identityID: RandomTokens.uuid(services.world), metadata: request.metadata, at: now)
        var newAccount = Account(
            id: RandomTokens.uuid(services.world), realm: realm, email: request.email,
            passwordHash: hash, createdAt: now)
        user.row = ProfileRow(of: newAccount, user.metadata)
        newAccount.profile = user.jsonText
        let account = newAccount
        return try await database.write { connection in
            if try connection.add(account) { return account }
            // Another request registered the same address first.
            let other = try connection.account(email: request.email, in: realm).orThrow(
                GoTrueFailure.userExists)
            return other
        }
    }

    /// Confirms the address without a mail and signs in.
    private func confirmAndSignIn(_ account: Account, _ request: SignUpRequest, at now: Timestamp)
        async throws -> SignIn
    {
        try await database.write { connection in
            let current = try connection.account(account.id, in: realm).orThrow(
                GoTrueFailure.userExists)
            let (account, user) = try Self.confirm(current, on: connection, at: now)
            return try signIn(account, user, by: .password, on: connection, at: now)
        }
    }

    /// Marks the account's address as confirmed.
    static func confirm(_ account: Account, on connection: Connection, at now: Timestamp) throws
        -> (Account, SocotoUser)
    {
        var account = account
        var user = SocotoUser(account)
        guard account.emailVerifiedAt == nil else { return (account, user) }
        account.emailVerifiedAt = now
        user.merge([.init("email_verified", true)])
        user.updatedAt = now
        try connection.verifyEmail(of: account.id, at: now)
        try connection.save(user, of: account)
        return (account, user)
    }
}
