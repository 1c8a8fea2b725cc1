import Backend
import Core
import SQLite
import Web

/// Sign-up with an address, with a number, or without either.
extension SocotoContract {
    /// POST /signup.
    func signUp(_ context: RequestContext) async throws -> Response {
        let body = try GoTrueBody(context.request, as: "SignupParams")
        guard try !body.text("email").isEmpty || !body.text("phone").isEmpty else {
            return try await signUpAnonymously(body, context)
        }
        try checkRequestLimit(context, Self.signUpLimit)
        guard isOn(Self.signups) else { throw GoTrueFailure.signupsDisabled }
        let request = try SignUpRequest(
            body, passwordPolicy, emailIsEnabled: isOn(Self.emailSignIns),
            phoneIsEnabled: isOn(Self.phoneSignIns))
        let needsConfirmation =
            request.phone == nil ? isOn(Self.confirmEmail) : !isOn(Self.confirmsPhonesAtOnce)
        let existing = try await database.read { connection in
            try findOwner(of: request.recipient, on: connection)
        }
        if let existing, existing.isConfirmed(request.recipient) {
            return try await respondToTakenRecipient(request, existing)
        }
        let now = now
        let hash = try await services.hasher.hash(request.password)
        let account = try await findOrCreateAccount(
            request.recipient, hash: hash, request.metadata, audience: audience(context), at: now)
        guard needsConfirmation else {
            let grant = try await write { connection, now in
                // Another request may have signed the same address up while the hash was computed.
                let current = try connection.account(account.id, in: realm)
                guard let current, !current.isConfirmed(request.recipient) else {
                    throw GoTrueFailure.userExists
                }
                let (account, user) = try confirm(
                    account.id, request.recipient, on: connection, at: now)
                let traits: KeyValuePairs<String, JSON> = [
                    "provider": .string(request.recipient.provider)
                ]
                try record(.userSignedUp, by: account, traits, on: connection, at: now)
                try record(.login, by: account, traits, on: connection, at: now)
                return try signIn(account, user, by: .password, on: connection, at: now)
            }
            return .plainJSON(try sessionJSON(grant))
        }
        let user = try await sendConfirmation(
            request.recipient, to: account, context, request.challenge)
        return .plainJSON(user.objectForSignUp(account))
    }

    /// Sends the link or code that confirms a new account.
    func sendConfirmation(
        _ recipient: Recipient, to account: Account, _ context: RequestContext,
        _ challenge: PKCEChallenge?
    ) async throws -> SocotoUser {
        let now = now
        let mail =
            switch recipient {
            case .email(let email):
                try makeMail(.signup, to: email, account: account, context, challenge)
            case .phone(let phone): try makeTextMessage(.phone, to: phone, account: account)
            }
        return try await sendAndRecord(
            mail, to: account, challenge, .confirmationRequested,
            ["provider": .string(recipient.provider)]
        ) { $0.confirmationSentAt = now }
    }

    private func signUpAnonymously(_ body: GoTrueBody, _ context: RequestContext) async throws
        -> Response
    {
        guard isOn(Self.anonymousUsers) else { throw GoTrueFailure.anonymousSignInsDisabled }
        try checkRequestLimit(context, Self.anonymousLimit)
        guard isOn(Self.signups) else { throw GoTrueFailure.signupsDisabled }
        let metadata = try body.object("data") ?? []
        try SocotoUser.checkSize(metadata)
        let audience = audience(context)
        let grant = try await write { connection, now in
            let account = makeAccount(nil, hash: nil, metadata, audience: audience, at: now)
            _ = try add(account, on: connection)
            return try signIn(
                account, SocotoUser(account), by: .anonymous, on: connection, at: now)
        }
        return .plainJSON(try sessionJSON(grant))
    }

    /// The validated parameters of a sign-up.
    fileprivate struct SignUpRequest: Sendable {
        let recipient: Recipient
        let password: String
        let metadata: [JSON.Member]
        let challenge: PKCEChallenge?

        var phone: String? { if case .phone(let phone) = recipient { phone } else { nil } }

        /// Validates in the real server's order: the password before the address.
        init(
            _ body: GoTrueBody, _ passwordPolicy: PasswordPolicy, emailIsEnabled: Bool,
            phoneIsEnabled: Bool
        ) throws(GoTrueFailure) {
            let address = try body.text("email")
            let phone = try body.text("phone")
            password = try body.text("password")
            guard !password.isEmpty else { throw .invalid("Signup requires a valid password") }
            try passwordPolicy.check(password)
            guard address.isEmpty || phone.isEmpty else {
                throw .invalid(
                    "Only an email address or phone number should be provided on signup.")
            }
            if !phone.isEmpty {
                try GoTruePhoneNumber.checkChannel(body)
                guard try body.text("code_challenge").isEmpty else {
                    throw .invalid("PKCE not supported for phone signups")
                }
            }
            challenge = try PKCEChallenge(body)
            if phone.isEmpty {
                guard emailIsEnabled else { throw .emailSignupsDisabled }
                recipient = .email(try GoTrueEmailAddress.parse(address))
            } else {
                guard phoneIsEnabled else { throw .phoneSignupsDisabled }
                recipient = .phone(try GoTruePhoneNumber.parse(phone))
            }
            metadata = try body.object("data") ?? []
            try SocotoUser.checkSize(metadata)
        }
    }

    /// Responds to a sign-up with a confirmed address or number. It fails openly only if sign-ups
    /// need no confirmation. Otherwise the response is a decoy user.
    private func respondToTakenRecipient(_ request: SignUpRequest, _ existing: Account)
        async throws -> Response
    {
        // Hashing takes as long as creating an account does, so that timing reveals nothing.
        _ = try await services.hasher.hash(request.password)
        guard isOn(Self.confirmEmail), !isOn(Self.confirmsPhonesAtOnce) else {
            throw GoTrueFailure.userExists
        }
        try await write { connection, now in
            try connection.recordMailRequest(
                to: request.recipient.text, for: Challenge.Purpose.verify.mailPurpose,
                .alreadyVerified, in: realm, at: now)
            try record(
                .repeatedSignUp, by: existing, ["provider": .string(request.recipient.provider)],
                on: connection, at: now)
        }
        let email = if case .email(let email) = request.recipient { email } else { "" }
        return .plainJSON(
            SocotoUser.decoyUserObject(
                id: RandomTokens.uuid(services.world), email: email,
                phone: GoTruePhoneNumber.withoutPlus(request.phone), metadata: request.metadata,
                at: now))
    }
}

/// New accounts, and the confirmation of their address or number.
extension SocotoContract {
    /// The account with an address or a number, inside a read or a write.
    func findAccount(_ recipient: Recipient, on connection: Connection) throws -> Account? {
        switch recipient {
        case .email(let email): try connection.account(email: email, in: realm)
        case .phone(let phone): try connection.account(phone: phone, in: realm)
        }
    }

    /// The account with an address or a number, or else with an identity that has the address.
    func findOwner(of recipient: Recipient, on connection: Connection) throws -> Account? {
        if let account = try findAccount(recipient, on: connection) { return account }
        guard case .email(let email) = recipient else { return nil }
        return try accountIDs(withIdentityEmail: email, on: connection).first.flatMap {
            try connection.account($0, in: realm)
        }
    }

    /// Returns an existing account unchanged, because its address is not confirmed yet, or creates
    /// one.
    func findOrCreateAccount(
        _ recipient: Recipient, hash: String?, _ metadata: [JSON.Member],
        by origin: SocotoUser.Origin = .signUp, audience: String, at now: Timestamp
    ) async throws -> Account {
        let account = makeAccount(
            recipient, hash: hash, metadata, by: origin, audience: audience, at: now)
        return try await database.write { connection in
            // Another request may register the same address first.
            if let found = try findAccount(recipient, on: connection) { return found }
            guard let added = try add(account, on: connection) else {
                throw GoTrueFailure.userExists
            }
            return added
        }
    }

    /// A new account, not stored yet. It is anonymous without a recipient.
    func makeAccount(
        _ recipient: Recipient?, id: String? = nil, hash: String?, _ metadata: [JSON.Member],
        by origin: SocotoUser.Origin = .signUp, audience: String, at now: Timestamp
    ) -> Account {
        var account = Account(
            id: id ?? RandomTokens.uuid(services.world), realm: realm, passwordHash: hash,
            createdAt: now)
        var user = SocotoUser(metadata: metadata, at: now)
        switch recipient {
        case .email(let email):
            account.email = email
            // An administrator's data is the user's alone.
            user.emailIdentity = .email(
                of: account, id: RandomTokens.uuid(services.world),
                origin == .signUp ? metadata : [], at: now)
        case .phone(let phone): account.phone = phone
        case nil: break
        }
        user.details.audience = audience
        user.details.origin = origin
        account.profile = user.jsonText
        return account
    }

    /// Adds an account with the rows of a sign-up and the identity of its number, inside a write.
    /// Nil if its id, address or number is taken.
    func add(_ account: Account, on connection: Connection) throws -> Account? {
        guard try connection.add(account) else { return nil }
        do { try addSignUpRows(of: account, on: connection) } catch is RestFailure {
            throw GoTrueFailure(500, "unexpected_failure", "Database error saving new user")
        }
        guard account.phone != nil else { return account }
        return try savePhoneIdentity(of: account, on: connection, at: account.createdAt)
    }

    /// Saves the identity of an account's number, and returns the account with it.
    func savePhoneIdentity(of account: Account, on connection: Connection, at now: Timestamp)
        throws -> Account
    {
        let data = SocotoUser(account).metadata.merging([
            .init("email_verified", false), .init("phone", .string(account.goTruePhone)),
            .init("phone_verified", .bool(account.phoneVerifiedAt != nil)),
            .init("sub", .string(account.id)),
        ])
        let existing = account.identities.first { $0.provider == "phone" }
        var identity =
            existing
            ?? Identity(
                id: RandomTokens.uuid(services.world), provider: "phone", subject: account.id,
                data: "", createdAt: now, lastSignInAt: now)
        identity.data = JSON.object(data).description
        identity.updatedAt = now
        _ = try connection.save(identity, of: account)
        return try connection.account(account.id, in: realm) ?? account
    }

    /// Marks the address or number of the account with this id as confirmed, inside a write.
    func confirm(
        _ id: String, _ recipient: Recipient, on connection: Connection, at now: Timestamp
    ) throws -> (Account, SocotoUser) {
        let account = try connection.account(id, in: realm).orThrow(GoTrueFailure.userExists)
        guard case .phone = recipient else {
            return try Self.confirm(account, on: connection, at: now)
        }
        return try confirmPhone(of: account, on: connection, at: now)
    }

    /// Marks the account's number as confirmed, inside a write.
    func confirmPhone(of account: Account, on connection: Connection, at now: Timestamp) throws
        -> (Account, SocotoUser)
    {
        var account = account
        guard account.phoneVerifiedAt == nil else { return (account, SocotoUser(account)) }
        account.phoneVerifiedAt = now
        try connection.setPhone(of: account.id, to: account.phone, verifiedAt: now)
        try connection.invalidateOneTimeTokens(of: account.id, at: now)
        account = try savePhoneIdentity(of: account, on: connection, at: now)
        return (account, SocotoUser(account))
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
        try connection.invalidateOneTimeTokens(of: account.id, at: now)
        try connection.save(user, of: account)
        return (account, user)
    }
}
