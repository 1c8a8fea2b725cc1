import Crypto
import SQLite
import Web

extension SocotoContract {
    /// PUT /user: a new password, further metadata, another address.
    @Sendable func updateUser(_ context: RequestContext) async throws -> Response {
        let body = try SocotoAuthBody(context.request, as: "UserUpdateParams")
        let (account, session) = try await authenticateBearer(context)
        guard !body.has("app_metadata") else { throw SocotoAuthFailure.notAdmin }
        let data = try body.object("data") ?? []
        try SocotoUser.checkSize(data)
        let email = try readNewEmail(body, of: account)
        let challenge = try SocotoPKCEChallenge(body)
        let password = try body.text("password")
        let hash = try await hashNewPassword(password, of: account)
        let now = services.now(in: realm(context))
        let mail: OutgoingMail? =
            if let email, isOn(Self.confirmEmail, account.realm) {
                try self.makeMail(
                    .emailChange, to: email, account: account, context, challenge, at: now)
            } else { nil }
        let (updated, place) = try await services.database.write {
            connection -> (UpdatedAccount?, Int64?) in
            var current = try self.reloadAccount(account, session, on: connection)
            guard hash == nil || current.passwordHash == account.passwordHash else {
                throw SocotoAuthFailure.concurrentPasswordChange
            }
            if let email, try connection.account(email: email, in: current.realm) != nil {
                throw SocotoAuthFailure.emailExists
            }
            if let mail, try !isWithinMailLimit(mail, on: connection) {
                // Notes that it was held back, and nothing else.
                _ = try sendMail(mail, challenge, on: connection)
                return (nil, nil)
            }
            var person = SocotoUser(current)
            person.merge(data)
            try SocotoUser.checkSize(person.metadata)
            person.updatedAt = now
            if let hash {
                // Before the letter, which it would end.
                try connection.changePassword(
                    hash: hash, of: current, &person, keepingSession: session.id, at: now)
            }
            var place: Int64?
            if let mail {
                person.newEmail = email
                person.emailChangeSentAt = now
                place = try sendMail(mail, challenge, on: connection)
            } else if let email {
                try connection.setVerifiedEmail(of: current.id, to: email, at: now)
                current.email = email
                current.emailVerifiedAt = now
                person.newEmail = nil
                person.emailChangeSentAt = nil
            }
            try connection.save(person, of: current)
            return ((current, person), place)
        }
        if let mail { try await announce(mail, at: place) }
        guard let (current, person) = updated else { throw SocotoAuthFailure.userNotFound }
        return .authJSON(person.userObject(current))
    }

    private typealias UpdatedAccount = (account: Account, person: SocotoUser)

    /// The account as it is now: while a hash was waited for, it may have
    /// left, and its session may have ended.
    private func reloadAccount(
        _ account: Account, _ session: BackendSession, on connection: Connection
    ) throws
        -> Account
    {
        let realm = account.realm
        guard let current = try connection.account(account.id, in: realm) else {
            throw SocotoAuthFailure.userNotFound
        }
        guard !isBanned(current) else { throw SocotoAuthFailure.bearerUserBanned }
        let known = try connection.session(session.id, in: realm)
        guard let known, known.session.revokedAt == nil else {
            throw SocotoAuthFailure.sessionNotFound
        }
        return current
    }

    private func readNewEmail(_ body: SocotoAuthBody, of account: Account) throws(SocotoAuthFailure)
        -> String?
    {
        let raw = try body.text("email")
        guard !raw.isEmpty else { return nil }
        let email = try SocotoEmailAddress.parse(raw)
        return email == account.email ? nil : email
    }

    private func hashNewPassword(_ password: String, of account: Account) async throws -> String? {
        guard !password.isEmpty else { return nil }
        try SocotoPasswordPolicy.check(password)
        let isSame = try await services.hasher.verify(password, against: account.passwordHash)
        guard !isSame else { throw SocotoAuthFailure.samePassword }
        return try await services.hasher.hash(password)
    }
}

extension Connection {
    /// A new password ends every other session, and everything that waits
    /// for an answer: who had the account before has no way back.
    func changePassword(
        hash: String, of account: Account, _ person: inout SocotoUser,
        keepingSession session: String?, at now: Timestamp
    ) throws {
        person.newEmail = nil
        person.emailChangeSentAt = nil
        person.updatedAt = now
        try setPassword(of: account.id, hash: hash)
        try invalidateChallenges(of: account.id, at: now)
        try endPKCEFlows(of: account.id, at: now)
        try revokeSessions(of: account.id, except: session, reason: .passwordChanged, at: now)
    }
}
