import Backend
import Core
import Crypto
import SQLite
import Web

extension SocotoContract {
    /// PUT /user: a new password, more metadata, another address or another number.
    func updateUser(_ context: RequestContext) async throws -> Response {
        let (account, session) = try await authenticateBearer(context)
        try checkRequestLimit(context, Self.userLimit)
        let update = try UserUpdate(
            GoTrueBody(context.request, as: "UserUpdateParams"), of: account, passwordPolicy)
        if update.password != nil || update.email != nil || update.phone != nil {
            try Self.requireSecondFactor(of: account, in: session)
        }
        if update.password != nil, account.isAnonymous, update.email == nil, update.phone == nil {
            throw GoTrueFailure.anonymousPassword
        }
        try await database.read { connection in
            try requireAvailable(update, for: account.id, on: connection)
        }
        let nonce = try requiredNonce(update, session)
        let hash = try await hashNewPassword(update, of: account, session)
        let now = now
        var mails: [OutgoingMail] = []
        if let email = update.email, isOn(Self.confirmEmail) {
            mails = try makeEmailChangeMails(
                to: email, of: account, context, update.challenge)
        }
        var message: OutgoingMail?
        if let phone = update.phone, !isOn(Self.confirmsPhonesAtOnce) {
            message = try makeTextMessage(.phoneChange, to: phone, account: account)
        }
        for mail in mails + [message].compactMap(\.self) {
            try checkMessageLimit(isTextMessage: mail.isTextMessage)
        }
        let messages = (mails: mails, text: message)
        let result = try await database.write { connection in
            // It may have been deleted, or its session ended, while the password was hashed.
            let (current, _) = try requireActive(account.id, session.id, on: connection)
            guard hash == nil || current.passwordHash == account.passwordHash else {
                throw GoTrueFailure.concurrentPasswordChange
            }
            try requireAvailable(update, for: account.id, on: connection)
            if let nonce, try !useNonce(nonce, of: current, on: connection, at: now) {
                return UpdateResult.invalidNonce
            }
            let all = messages.mails + [messages.text].compactMap(\.self)
            if let held = try heldBack(all, on: connection) { return .heldBack(held) }
            return try apply(
                update, hash: hash, messages, to: current, keeping: session, on: connection,
                at: now)
        }
        switch result {
        case .invalidNonce: throw GoTrueFailure.invalidNonce
        case .heldBack(let mail):
            try await announce(mail, at: nil)
            throw GoTrueFailure.userNotFound
        case .updated(let account, let user, let sent):
            for (mail, sequence) in sent { try await announce(mail, at: sequence) }
            return .plainJSON(user.userObject(account))
        }
    }

    /// What became of an update. The first two change nothing, but are recorded.
    private enum UpdateResult: Sendable {
        case invalidNonce
        case heldBack(OutgoingMail)
        case updated(Account, SocotoUser, [(OutgoingMail, Int64?)])
    }

    /// The validated parameters of an update. The address and the number are nil if they are the
    /// account's own.
    fileprivate struct UserUpdate: Sendable {
        let email: String?
        let phone: String?
        let password: String?
        let currentPassword: String
        let nonce: String
        let data: [JSON.Member]
        let challenge: PKCEChallenge?

        /// Validates in the real server's order.
        init(_ body: GoTrueBody, of account: Account, _ passwordPolicy: PasswordPolicy)
            throws(GoTrueFailure)
        {
            let address = try body.text("email")
            let email = address.isEmpty ? nil : try GoTrueEmailAddress.parse(address)
            self.email = email == account.email ? nil : email
            let number = try body.text("phone")
            let phone = number.isEmpty ? nil : try GoTruePhoneNumber.parse(number)
            if phone != nil { try GoTruePhoneNumber.checkChannel(body) }
            self.phone = phone == account.phone ? nil : phone
            password = body.has("password") ? try body.text("password") : nil
            if let password { try passwordPolicy.check(password) }
            guard !body.has("app_metadata") else { throw .notAdmin }
            currentPassword = try body.text("current_password")
            nonce = try body.text("nonce")
            data = try body.object("data") ?? []
            try SocotoUser.checkSize(data)
            // The server reads the method with a challenge alone, and both with an address alone.
            let codeChallenge = try body.text("code_challenge")
            challenge =
                self.email == nil || codeChallenge.isEmpty ? nil : try PKCEChallenge(body)
        }
    }

    private func requireAvailable(
        _ update: UserUpdate, for account: String, on connection: Connection
    ) throws {
        if let email = update.email,
            let owner = try findOwner(of: .email(email), on: connection), owner.id != account
        {
            throw GoTrueFailure.emailExists
        }
        if let phone = update.phone, try connection.account(phone: phone, in: realm) != nil {
            throw GoTrueFailure.phoneExists
        }
    }

    /// The code that a new password requires in a session of more than a day, if the project
    /// requires one.
    private func requiredNonce(_ update: UserUpdate, _ session: BackendSession) throws -> String? {
        guard update.password != nil, isOn(Self.reauthenticatesForPassword),
            now > session.createdAt + .seconds(86_400)
        else { return nil }
        guard !update.nonce.isEmpty else { throw GoTrueFailure.reauthenticationNeeded }
        return update.nonce
    }

    /// Uses up the code, inside a write. A wrong one is counted.
    private func useNonce(
        _ nonce: String, of account: Account, on connection: Connection, at now: Timestamp
    ) throws -> Bool {
        guard let recipient = account.email ?? account.phone,
            let challenge = try checkCode(
                nonce, of: recipient, for: [.reauthentication], on: connection),
            challenge.accountID == account.id, challenge.state(at: now) == .valid
        else { return false }
        try connection.markUsed(challenge, at: now)
        return true
    }

    private func hashNewPassword(
        _ update: UserUpdate, of account: Account, _ session: BackendSession
    ) async throws -> String? {
        guard let password = update.password else { return nil }
        let isRecovery = SignInRecord(session).entries.contains { $0.method.isRecovery }
        if account.passwordHash != nil, isOn(Self.requiresCurrentPassword), !isRecovery {
            guard !update.currentPassword.isEmpty else {
                throw GoTrueFailure.currentPasswordRequired
            }
            guard
                try await services.hasher.verify(
                    update.currentPassword, against: account.passwordHash)
            else { throw GoTrueFailure.wrongCurrentPassword }
        }
        let isSame = try await services.hasher.verify(password, against: account.passwordHash)
        guard !isSame else { throw GoTrueFailure.samePassword }
        return try await services.hasher.hash(password)
    }

    /// Changes the account and sends the messages, inside a write.
    private func apply(
        _ update: UserUpdate, hash: String?,
        _ messages: (mails: [OutgoingMail], text: OutgoingMail?),
        to account: Account, keeping session: BackendSession, on connection: Connection,
        at now: Timestamp
    ) throws -> UpdateResult {
        var account = account
        var user = SocotoUser(account)
        user.merge(update.data)
        try SocotoUser.checkSize(user.metadata)
        user.updatedAt = now
        if let hash {
            // Before the new mail, whose challenge it would otherwise invalidate.
            try connection.changePassword(
                hash: hash, of: account, &user, keepingSession: session.id, at: now)
            try record(.passwordUpdated, by: account, on: connection, at: now)
        }
        var sent: [(OutgoingMail, Int64?)] = []
        if let email = update.email {
            if messages.mails.isEmpty {
                account = try changeEmail(
                    of: account, &user, to: email, on: connection, at: now)
            } else {
                user.newEmail = email
                let sequences = try send(
                    messages.mails, update.challenge, &user, at: now, on: connection)
                sent += zip(messages.mails, sequences).map { ($0, $1) }
            }
        }
        if let message = messages.text {
            user.details.newPhone = update.phone
            user.details.phoneChangeSentAt = now
            sent.append((message, try sendMail(message, nil, on: connection)))
        }
        try connection.save(user, of: account)
        if let phone = update.phone, messages.text == nil {
            account.profile = user.jsonText
            (account, user) = try changePhone(of: account, to: phone, on: connection, at: now)
        }
        try record(.userModified, by: account, on: connection, at: now)
        return .updated(account, user, sent)
    }

    // MARK: Another address

    /// The mails that confirm another address: to the new one, and to the current one too if the
    /// project requires both.
    func makeEmailChangeMails(
        to email: String, of account: Account, _ context: RequestContext,
        _ challenge: PKCEChallenge?
    ) throws -> [OutgoingMail] {
        let toNew = try makeMail(.emailChange, to: email, account: account, context, challenge)
        guard isOn(Self.confirmsChangesTwice), let current = account.email else { return [toNew] }
        let toCurrent = try makeMail(
            .emailChange, for: .emailChangeCurrent, to: current, account: account, context,
            challenge)
        return [toNew, toCurrent]
    }

    /// Sends the mails of a change of address, inside a write, and records in `user` that they are
    /// awaited.
    func send(
        _ mails: [OutgoingMail], _ challenge: PKCEChallenge?, _ user: inout SocotoUser,
        at now: Timestamp, on connection: Connection
    ) throws -> [Int64?] {
        for mail in mails {
            guard let account = mail.challenge.accountID else { continue }
            // Mails for an address named before do not work any more.
            try connection.invalidateChallenges(
                of: account, for: [mail.challenge.purpose], at: now)
        }
        user.emailChangeSentAt = now
        user.details.confirmationsLeft = mails.count
        return try mails.map { try sendMail($0, challenge, on: connection) }
    }
}

extension Connection {
    /// Sets a new password. Ends every other session, mailed link, code and PKCE flow, so that a
    /// previous owner loses access.
    func changePassword(
        hash: String, of account: Account, _ user: inout SocotoUser,
        keepingSession session: String?, at now: Timestamp
    ) throws {
        user.forgetSentMessages()
        user.updatedAt = now
        try setPassword(of: account.id, hash: hash)
        try invalidateChallenges(of: account.id, at: now)
        try endPKCEFlows(of: account.id, at: now)
        try revokeSessions(of: account.id, except: session, reason: .passwordChanged, at: now)
    }
}
