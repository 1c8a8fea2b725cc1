import SQLite
import Secrets
import Web

extension SocotoContract {
    /// PUT /user: a new password, further metadata, another address.
    @Sendable func updateUser(_ visit: Visit) async throws -> Response {
        let body = try SocotoBody(visit.request, as: "UserUpdateParams")
        let (account, session) = try await bearer(visit)
        guard !body.has("app_metadata") else { throw SocotoFailure.notAdmin }
        let data = try body.object("data") ?? []
        try SocotoPerson.check(data)
        let email = try newEmail(body, of: account)
        let challenge = try SocotoChallenge(body)
        let password = try body.text("password")
        let hash = try await hash(ofNew: password, of: account)
        let now = premises.now(in: realm(visit))
        let letter: Letter? =
            if let email, isOn(Self.confirmEmail, account.realm) {
                try self.letter(
                    .emailChange, to: email, account: account, visit, challenge, at: now)
            } else { nil }
        let (updated, place) = try await premises.database.write {
            connection -> (Grantee?, Int64?) in
            var current = try self.current(account, session, on: connection)
            guard hash == nil || current.passwordHash == account.passwordHash else {
                throw SocotoFailure.passwordRace
            }
            if let email, try connection.account(email: email, in: current.realm) != nil {
                throw SocotoFailure.emailExists
            }
            if let letter, try !isFree(letter, on: connection) {
                // Notes that it was held back, and nothing else.
                _ = try post(letter, challenge, on: connection)
                return (nil, nil)
            }
            var person = SocotoPerson(current)
            person.merge(data)
            try SocotoPerson.check(person.metadata)
            person.updatedAt = now
            if let hash {
                // Before the letter, which it would end.
                try connection.take(
                    password: hash, of: current, &person, keeping: session.id, at: now)
            }
            var place: Int64?
            if let letter {
                person.newEmail = email
                person.emailChangeSentAt = now
                place = try post(letter, challenge, on: connection)
            } else if let email {
                try connection.setEmail(of: current.id, to: email, at: now)
                current.email = email
                current.emailVerifiedAt = now
                person.newEmail = nil
                person.emailChangeSentAt = nil
            }
            try connection.save(person, of: current)
            return ((current, person), place)
        }
        if let letter { try await announce(letter, at: place) }
        guard let (current, person) = updated else { throw SocotoFailure.userGone }
        return .auth(person.user(current))
    }

    private typealias Grantee = (account: Account, person: SocotoPerson)

    /// The account as it is now: while a hash was waited for, it may have
    /// left, and its session may have ended.
    private func current(_ account: Account, _ session: Session, on connection: Connection) throws
        -> Account
    {
        let realm = account.realm
        guard let current = try connection.account(account.id, in: realm) else {
            throw SocotoFailure.userGone
        }
        guard !isBanned(current) else { throw SocotoFailure.bannedBearer }
        let known = try connection.session(session.id, in: realm)
        guard let known, known.session.revokedAt == nil else { throw SocotoFailure.sessionGone }
        return current
    }

    private func newEmail(_ body: SocotoBody, of account: Account) throws(SocotoFailure) -> String?
    {
        let raw = try body.text("email")
        guard !raw.isEmpty else { return nil }
        let email = try SocotoAddress.read(raw)
        return email == account.email ? nil : email
    }

    private func hash(ofNew password: String, of account: Account) async throws -> String? {
        guard !password.isEmpty else { return nil }
        try SocotoPassword.check(password)
        let isSame = try await premises.hasher.verify(password, against: account.passwordHash)
        guard !isSame else { throw SocotoFailure.samePassword }
        return try await premises.hasher.hash(password)
    }
}

extension Connection {
    /// A new password ends every other session, and everything that waits
    /// for an answer: who had the account before has no way back.
    func take(
        password hash: String, of account: Account, _ person: inout SocotoPerson,
        keeping session: String?, at now: Moment
    ) throws {
        person.newEmail = nil
        person.emailChangeSentAt = nil
        person.updatedAt = now
        try setPassword(of: account.id, hash: hash)
        try endChallenges(of: account.id, at: now)
        try endFlows(of: account.id, at: now)
        try revokeSessions(of: account.id, except: session, because: .passwordChanged, at: now)
    }
}
