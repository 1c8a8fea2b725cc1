import SQLite
import Secrets
import Web

extension SocotoContract {
    /// POST /signup.
    @Sendable func signUp(_ visit: Visit) async throws -> Response {
        let realm = realm(visit)
        guard isOn(Self.signups, realm) else { throw SocotoFailure.signupsOff }
        let wish = try Wish(visit)
        let isConfirming = isOn(Self.confirmEmail, realm)
        let found = try await premises.database.read { connection in
            try connection.account(email: wish.email, in: realm)
        }
        if let found, found.emailVerifiedAt != nil {
            return try await refuse(wish, in: realm, isConfirming)
        }
        let now = premises.now(in: realm)
        let account = try await account(found, wish, in: realm, at: now)
        guard isConfirming else {
            return .auth(try session(try await admit(account, wish, at: now)))
        }
        let letter = try letter(
            .signup, to: wish.email, account: account, visit, wish.challenge, at: now)
        let person = try await send(letter, to: account, wish.challenge) {
            $0.confirmationSentAt = now
        }
        return .auth(person.user(account))
    }

    /// What somebody who signs up asks for.
    fileprivate struct Wish: Sendable {
        let email: String
        let password: String
        let data: [JSON.Member]
        let challenge: SocotoChallenge?

        /// Refuses in the real server's order: the password before the
        /// address.
        init(_ visit: Visit) throws(SocotoFailure) {
            let body = try SocotoBody(visit.request, as: "SignupParams")
            let address = try body.text("email")
            let phone = try body.text("phone")
            guard !address.isEmpty || !phone.isEmpty else { throw .anonymousOff }
            password = try body.text("password")
            guard !password.isEmpty else { throw .invalid("Signup requires a valid password") }
            try SocotoPassword.check(password)
            guard address.isEmpty || phone.isEmpty else {
                throw .invalid(
                    "Only an email address or phone number should be provided on signup.")
            }
            challenge = try SocotoChallenge(body)
            guard phone.isEmpty else { throw .phoneSignupsOff }
            email = try SocotoAddress.read(address)
            data = try body.object("data") ?? []
            try SocotoPerson.check(data)
        }
    }

    /// Somebody has the address and showed it: said openly only where mails
    /// would not tell it anyway.
    private func refuse(_ wish: Wish, in realm: Realm, _ isConfirming: Bool) async throws
        -> Response
    {
        // Costs what making an account costs, so that the time tells nothing.
        _ = try await premises.hasher.hash(wish.password)
        guard isConfirming else { throw SocotoFailure.userExists }
        let now = premises.now(in: realm)
        try await premises.database.write { connection in
            try connection.note(
                MailRequest(
                    realm: realm, email: wish.email, purpose: Challenge.Purpose.verify.rawValue,
                    outcome: .needless, requestedAt: now))
        }
        return .auth(
            SocotoPerson.pretended(
                id: Opaque.uuid(premises.world), email: wish.email, metadata: wish.data, at: now))
    }

    /// The account, unchanged if it is there already: nobody has shown yet
    /// whose the address is.
    private func account(_ found: Account?, _ wish: Wish, in realm: Realm, at now: Moment)
        async throws -> Account
    {
        let hash = try await premises.hasher.hash(wish.password)
        if let found { return found }
        var person = SocotoPerson(
            identity: Opaque.uuid(premises.world), metadata: wish.data, at: now)
        let bare = Account(
            id: Opaque.uuid(premises.world), realm: realm, email: wish.email, passwordHash: hash,
            createdAt: now)
        person.row = SocotoRow(of: bare, person.metadata)
        let account = Account(
            id: bare.id, realm: realm, email: wish.email, passwordHash: hash, profile: person.text,
            createdAt: now)
        return try await premises.database.write { connection in
            if try connection.add(account) { return account }
            // Somebody else was quicker with the same address.
            guard let other = try connection.account(email: wish.email, in: realm) else {
                throw SocotoFailure.userExists
            }
            return other
        }
    }

    /// Confirmed without a mail, and signed in.
    private func admit(_ account: Account, _ wish: Wish, at now: Moment) async throws -> Grant {
        try await premises.database.write { connection in
            guard let current = try connection.account(account.id, in: account.realm) else {
                throw SocotoFailure.userExists
            }
            let (account, person) = try confirm(current, on: connection, at: now)
            return try open(account, person, by: .password, on: connection, at: now)
        }
    }

    /// The address is the account's from now on.
    func confirm(_ account: Account, on connection: Connection, at now: Moment) throws -> (
        Account, SocotoPerson
    ) {
        var account = account
        var person = SocotoPerson(account)
        guard account.emailVerifiedAt == nil else { return (account, person) }
        account.emailVerifiedAt = now
        person.merge([.init("email_verified", true)])
        person.updatedAt = now
        try connection.verifyEmail(of: account.id, at: now)
        try connection.save(person, of: account)
        return (account, person)
    }
}
