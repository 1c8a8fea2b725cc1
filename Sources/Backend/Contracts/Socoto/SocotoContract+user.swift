import SQLite
import Secrets
import Web

extension SocotoContract {
    /// GET /user.
    @Sendable func user(_ visit: Visit) async throws -> Response {
        let account = try await bearer(visit).account
        return .auth(SocotoPerson(account).user(account))
    }

    /// POST /logout: of every session, of this one, or of the others.
    @Sendable func logout(_ visit: Visit) async throws -> Response {
        let (account, session) = try await bearer(visit)
        let scope = visit.target.value("scope") ?? "global"
        guard ["global", "local", "others"].contains(scope) else {
            throw SocotoFailure.invalid(
                "Unsupported logout scope \"\(scope.prefix(40))\"")
        }
        let now = premises.now
        try await premises.database.write { connection in
            guard scope != "local" else {
                return try connection.revoke(
                    session: session.id, because: .signedOut, at: now)
            }
            try connection.revokeSessions(
                of: account.id,
                except: scope == "others" ? session.id : nil,
                because: .signedOut, at: now)
        }
        return Response(status: 204)
    }

    /// PUT /user: a new password, further metadata, another address.
    @Sendable func updateUser(_ visit: Visit) async throws -> Response {
        let body = try SocotoBody(visit.request, as: "UserUpdateParams")
        let (account, session) = try await bearer(visit)
        guard !body.has("app_metadata") else { throw SocotoFailure.notAdmin }
        let data = try body.object("data") ?? []
        let email = try newEmail(body, of: account)
        let challenge = try SocotoChallenge(body)
        let password = try body.text("password")
        let hash = try await hash(ofNew: password, of: account)
        let now = premises.now
        let realm = account.realm
        let isConfirming = isOn(Self.confirmEmail, realm)
        let letter: Letter? =
            if let email, isConfirming {
                try self.letter(
                    .emailChange, to: email, account: account, visit,
                    challenge, at: now)
            } else {
                nil
            }
        let (updated, place) = try await premises.database.write {
            connection -> (Grantee?, Int64?) in
            guard var current = try connection.account(account.id, in: realm)
            else { throw SocotoFailure.userGone }
            if let email,
                try connection.account(email: email, in: realm) != nil
            {
                throw SocotoFailure.emailExists
            }
            var person = SocotoPerson(current)
            person.merge(data)
            person.updatedAt = now
            var place: Int64?
            if let letter {
                person.newEmail = email
                person.emailChangeSentAt = now
                place = try post(letter, challenge, on: connection)
                guard place != nil else { return (nil, nil) }
            } else if let email {
                try connection.setEmail(of: current.id, to: email, at: now)
                current.email = email
                current.emailVerifiedAt = now
            }
            if let hash {
                try change(
                    current, password: hash, keeping: session.id,
                    on: connection, at: now)
            }
            try connection.save(person, of: current)
            return ((current, person), place)
        }
        if let letter { try await announce(letter, at: place) }
        guard let (current, person) = updated else {
            throw SocotoFailure.userGone
        }
        return .auth(person.user(current))
    }

    private typealias Grantee = (account: Account, person: SocotoPerson)

    /// A new password ends every other session and every pending reset.
    func change(
        _ account: Account, password hash: String, keeping session: String?,
        on connection: Connection, at now: Moment
    ) throws {
        try connection.setPassword(of: account.id, hash: hash)
        try connection.endChallenges(of: account.id, for: .reset, at: now)
        try connection.revokeSessions(
            of: account.id, except: session, because: .passwordChanged,
            at: now)
    }

    private func newEmail(
        _ body: SocotoBody, of account: Account
    ) throws(SocotoFailure) -> String? {
        let raw = try body.text("email")
        guard !raw.isEmpty else { return nil }
        let email = try SocotoAddress.read(raw)
        return email == account.email ? nil : email
    }

    private func hash(
        ofNew password: String, of account: Account
    ) async throws -> String? {
        guard !password.isEmpty else { return nil }
        try SocotoPassword.check(password)
        let isSame = try await premises.hasher.verify(
            password, against: account.passwordHash)
        guard !isSame else { throw SocotoFailure.samePassword }
        return try await premises.hasher.hash(password)
    }
}
