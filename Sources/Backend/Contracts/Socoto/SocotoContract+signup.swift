import Crypto
import SQLite
import Web

extension SocotoContract {
    /// POST /signup.
    @Sendable func signUp(_ context: RequestContext) async throws -> Response {
        let realm = realm(context)
        guard isOn(Self.signups, realm) else { throw SocotoAuthFailure.signupsDisabled }
        let wish = try SignUpRequest(context)
        let isConfirming = isOn(Self.confirmEmail, realm)
        let found = try await services.database.read { connection in
            try connection.account(email: wish.email, in: realm)
        }
        if let found, found.emailVerifiedAt != nil {
            return try await respondToTakenEmail(wish, in: realm, isConfirming)
        }
        let now = services.now(in: realm)
        let account = try await findOrCreateAccount(found, wish, in: realm, at: now)
        guard isConfirming else {
            return .authJSON(try sessionJSON(try await confirmAndSignIn(account, wish, at: now)))
        }
        let mail = try makeMail(
            .signup, to: wish.email, account: account, context, wish.challenge, at: now)
        let person = try await sendAndRecord(mail, to: account, wish.challenge) {
            $0.confirmationSentAt = now
        }
        return .authJSON(person.userObject(account))
    }

    /// What somebody who signs up asks for.
    fileprivate struct SignUpRequest: Sendable {
        let email: String
        let password: String
        let metadata: [JSON.Member]
        let challenge: SocotoPKCEChallenge?

        /// Refuses in the real server's order: the password before the
        /// address.
        init(_ context: RequestContext) throws(SocotoAuthFailure) {
            let body = try SocotoAuthBody(context.request, as: "SignupParams")
            let address = try body.text("email")
            let phone = try body.text("phone")
            guard !address.isEmpty || !phone.isEmpty else { throw .anonymousSignInsDisabled }
            password = try body.text("password")
            guard !password.isEmpty else { throw .invalid("Signup requires a valid password") }
            try SocotoPasswordPolicy.check(password)
            guard address.isEmpty || phone.isEmpty else {
                throw .invalid(
                    "Only an email address or phone number should be provided on signup.")
            }
            challenge = try SocotoPKCEChallenge(body)
            guard phone.isEmpty else { throw .phoneSignupsDisabled }
            email = try SocotoEmailAddress.parse(address)
            metadata = try body.object("data") ?? []
            try SocotoUser.checkSize(metadata)
        }
    }

    /// Somebody has the address and showed it: said openly only where mails
    /// would not tell it anyway.
    private func respondToTakenEmail(_ wish: SignUpRequest, in realm: Realm, _ isConfirming: Bool)
        async throws
        -> Response
    {
        // Costs what making an account costs, so that the time tells nothing.
        _ = try await services.hasher.hash(wish.password)
        guard isConfirming else { throw SocotoAuthFailure.userExists }
        let now = services.now(in: realm)
        try await services.database.write { connection in
            try connection.record(
                MailRequest(
                    realm: realm, email: wish.email, purpose: Challenge.Purpose.verify.rawValue,
                    outcome: .alreadyVerified, requestedAt: now))
        }
        return .authJSON(
            SocotoUser.decoyUserObject(
                id: RandomTokens.uuid(services.world), email: wish.email, metadata: wish.metadata,
                at: now))
    }

    /// The account, unchanged if it is there already: nobody has shown yet
    /// whose the address is.
    private func findOrCreateAccount(
        _ found: Account?, _ wish: SignUpRequest, in realm: Realm, at now: Timestamp
    )
        async throws -> Account
    {
        let hash = try await services.hasher.hash(wish.password)
        if let found { return found }
        var person = SocotoUser(
            identityID: RandomTokens.uuid(services.world), metadata: wish.metadata, at: now)
        let bare = Account(
            id: RandomTokens.uuid(services.world), realm: realm, email: wish.email,
            passwordHash: hash,
            createdAt: now)
        person.row = SocotoProfileRow(of: bare, person.metadata)
        let account = Account(
            id: bare.id, realm: realm, email: wish.email, passwordHash: hash,
            profile: person.jsonText,
            createdAt: now)
        return try await services.database.write { connection in
            if try connection.add(account) { return account }
            // Somebody else was quicker with the same address.
            guard let other = try connection.account(email: wish.email, in: realm) else {
                throw SocotoAuthFailure.userExists
            }
            return other
        }
    }

    /// Confirmed without a mail, and signed in.
    private func confirmAndSignIn(_ account: Account, _ wish: SignUpRequest, at now: Timestamp)
        async throws -> SignIn
    {
        try await services.database.write { connection in
            guard let current = try connection.account(account.id, in: account.realm) else {
                throw SocotoAuthFailure.userExists
            }
            let (account, person) = try confirm(current, on: connection, at: now)
            return try signIn(account, person, by: .password, on: connection, at: now)
        }
    }

    /// The address is the account's from now on.
    func confirm(_ account: Account, on connection: Connection, at now: Timestamp) throws -> (
        Account, SocotoUser
    ) {
        var account = account
        var person = SocotoUser(account)
        guard account.emailVerifiedAt == nil else { return (account, person) }
        account.emailVerifiedAt = now
        person.merge([.init("email_verified", true)])
        person.updatedAt = now
        try connection.verifyEmail(of: account.id, at: now)
        try connection.save(person, of: account)
        return (account, person)
    }
}
