import Backend
import Crypto
import SQLite
import Web

extension SocotoContract {
    /// PUT /user: a new password, more metadata, or another address.
    func updateUser(_ context: RequestContext) async throws -> Response {
        let body = try GoTrueBody(context.request, as: "UserUpdateParams")
        let (account, session) = try await authenticateBearer(context)
        guard !body.has("app_metadata") else { throw GoTrueFailure.notAdmin }
        let data = try body.object("data") ?? []
        try SocotoUser.checkSize(data)
        let email = try readNewEmail(body, of: account)
        let challenge = try PKCEChallenge(body)
        let password = try body.text("password")
        let hash = try await hashNewPassword(password, of: account)
        let now = now
        let mail: OutgoingMail? =
            if let email, isOn(Self.confirmEmail) {
                try self.makeMail(
                    .emailChange, to: email, account: account, context, challenge, at: now)
            } else { nil }
        let (updated, sequence) = try await database.write {
            connection -> (UpdatedAccount?, Int64?) in
            // It may have been deleted, or its session ended, while the password was hashed.
            var (current, _) = try self.requireActive(account.id, session.id, on: connection)
            guard hash == nil || current.passwordHash == account.passwordHash else {
                throw GoTrueFailure.concurrentPasswordChange
            }
            if let email, try connection.account(email: email, in: current.realm) != nil {
                throw GoTrueFailure.emailExists
            }
            if let mail, try !isWithinMailLimit(mail, on: connection) {
                // Only records that the mail was held back.
                _ = try sendMail(mail, challenge, on: connection)
                return (nil, nil)
            }
            var user = SocotoUser(current)
            user.merge(data)
            try SocotoUser.checkSize(user.metadata)
            user.updatedAt = now
            if let hash {
                // Before the new mail, whose challenge it would otherwise invalidate.
                try connection.changePassword(
                    hash: hash, of: current, &user, keepingSession: session.id, at: now)
            }
            var sequence: Int64?
            if let mail {
                user.newEmail = email
                user.emailChangeSentAt = now
                sequence = try sendMail(mail, challenge, on: connection)
            } else if let email {
                try connection.setEmail(of: current.id, to: email, verifiedAt: now)
                current.email = email
                current.emailVerifiedAt = now
                user.newEmail = nil
                user.emailChangeSentAt = nil
            }
            try connection.save(user, of: current)
            return ((current, user), sequence)
        }
        if let mail { try await announce(mail, at: sequence) }
        guard let (current, user) = updated else { throw GoTrueFailure.userNotFound }
        return .authJSON(user.userObject(current))
    }

    private typealias UpdatedAccount = (account: Account, person: SocotoUser)

    private func readNewEmail(_ body: GoTrueBody, of account: Account) throws(GoTrueFailure)
        -> String?
    {
        let raw = try body.text("email")
        guard !raw.isEmpty else { return nil }
        let email = try GoTrueEmailAddress.parse(raw)
        return email == account.email ? nil : email
    }

    private func hashNewPassword(_ password: String, of account: Account) async throws -> String? {
        guard !password.isEmpty else { return nil }
        try PasswordPolicy.check(password)
        let isSame = try await services.hasher.verify(password, against: account.passwordHash)
        guard !isSame else { throw GoTrueFailure.samePassword }
        return try await services.hasher.hash(password)
    }
}

extension Connection {
    /// Sets a new password. Ends every other session, mailed link, code and PKCE flow, so that a
    /// previous owner loses access.
    func changePassword(
        hash: String, of account: Account, _ user: inout SocotoUser,
        keepingSession session: String?, at now: Timestamp
    ) throws {
        user.newEmail = nil
        user.emailChangeSentAt = nil
        user.updatedAt = now
        try setPassword(of: account.id, hash: hash)
        try invalidateChallenges(of: account.id, at: now)
        try endPKCEFlows(of: account.id, at: now)
        try revokeSessions(of: account.id, except: session, reason: .passwordChanged, at: now)
    }
}
