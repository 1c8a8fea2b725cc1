import Backend
import Core
import Crypto
import SQLite
import Web

/// Redeems mailed codes and links.
extension SocotoContract {
    /// POST /verify, with the code and its address or number, or with the link's secret.
    func verify(_ context: RequestContext) async throws -> Response {
        try checkRequestLimit(context, Self.verifyRequestLimit)
        let body = try GoTrueBody(context.request, as: "VerifyParams")
        let name = try body.text("type")
        let token = try body.text("token")
        let hash = try body.text("token_hash")
        guard !name.isEmpty else {
            throw GoTrueFailure.invalid("Verify requires a verification type")
        }
        guard token.isEmpty != hash.isEmpty else {
            throw GoTrueFailure.invalid("Verify requires either a token or a token hash")
        }
        let address = try body.text("email")
        let phone = try body.text("phone")
        let redemption: Redemption?
        if token.isEmpty {
            guard try address.isEmpty && phone.isEmpty && body.text("redirect_to").isEmpty else {
                throw GoTrueFailure.invalid("Only the token_hash and type should be provided")
            }
            redemption = try await redeem(hash, try VerificationType(name, isOfLink: true))
            guard redemption != nil else { throw GoTrueFailure.linkExpired }
        } else {
            let recipient: Recipient
            switch (address.isEmpty, phone.isEmpty) {
            case (false, true):
                guard GoTrueEmailAddress.isAccepted(address) else {
                    throw GoTrueFailure(422, "validation_failed", "Invalid email format")
                }
                recipient = .email(address.lowercased())
            case (true, false): recipient = .phone(try GoTruePhoneNumber.parse(phone))
            default:
                throw GoTrueFailure.invalid(
                    "Only an email address or phone number should be provided on verify")
            }
            try checkGuessLimit(recipient, Self.guessLimit)
            redemption = try await redeem(
                code: token, of: recipient, try VerificationType(name, isOfLink: false))
        }
        switch redemption {
        case .signedIn(let grant, _): return .plainJSON(try sessionJSON(grant))
        case .firstConfirmation:
            return .plainJSON(["code": "200", "msg": .string(Self.firstConfirmationText)])
        case nil: throw GoTrueFailure.codeExpired
        }
    }

    static let firstConfirmationText =
        "Confirmation link accepted. Please proceed to confirm link sent to the other email"

    /// What a code or link did.
    enum Redemption: Sendable {
        case signedIn(SignIn, Challenge.Purpose)
        /// The other address has to confirm the change too.
        case firstConfirmation
    }

    /// Redeems a link's secret. Nil if the link does not work.
    func redeem(_ token: String, _ type: VerificationType) async throws -> Redemption? {
        try await redeem { connection in
            try findChallenge(token: token, for: type.purposes, on: connection)
        }
    }

    /// Redeems a code. A wrong one is counted.
    private func redeem(code: String, of recipient: Recipient, _ type: VerificationType)
        async throws -> Redemption?
    {
        let ticket = FaultTicket.current
        return try await redeem { connection in
            // Whether or not the code is right.
            if let account = try findAccount(recipient, on: connection), isBanned(account) {
                throw GoTrueFailure.bearerUserBanned
            }
            let challenge = try checkCode(
                code, of: recipient.text, for: type.purposes, on: connection)
            return ticket?.triggers(.codeExpired) == true ? nil : challenge
        }
    }

    /// The challenge with this code, inside a write. A wrong code is counted against every one that
    /// it could have been.
    func checkCode(
        _ code: String, of recipient: String, for purposes: [Challenge.Purpose],
        on connection: Connection
    ) throws -> Challenge? {
        var candidates: [Challenge] = []
        for purpose in purposes {
            guard
                let challenge = try connection.newestChallenge(
                    to: recipient, for: purpose, in: realm),
                challenge.failedAttempts < SocotoLink.maxAttempts
            else { continue }
            let secret = try linkSecret(of: challenge.mailID ?? "", to: recipient, code)
            if ConstantTime.areEqual(Digest.sha256(secret), challenge.digest) { return challenge }
            candidates.append(challenge)
        }
        for challenge in candidates { try connection.recordFailedAttempt(at: challenge) }
        return nil
    }

    /// Signs in with the challenge that `find` returns inside the write.
    private func redeem(find: @escaping @Sendable (Connection) throws -> Challenge?) async throws
        -> Redemption?
    {
        let redeemed = try await write { connection, now -> (Redemption, Challenge)? in
            guard let challenge = try find(connection),
                let applied = try apply(challenge, on: connection, at: now)
            else { return nil }
            guard case .account(let account, let user) = applied else {
                return (.firstConfirmation, challenge)
            }
            let grant = try signIn(account, user, by: .otp, on: connection, at: now)
            return (.signedIn(grant, challenge.purpose), challenge)
        }
        if let redeemed { services.mailbox.publishUsed(of: redeemed.1) }
        return redeemed?.0
    }

    /// What a challenge changed.
    enum Application: Sendable {
        case account(Account, SocotoUser)
        case firstConfirmation
    }

    /// Marks `challenge` as used and applies its purpose, inside a write. Nil if it does not work
    /// any more.
    func apply(_ challenge: Challenge, on connection: Connection, at now: Timestamp) throws
        -> Application?
    {
        let state = challenge.state(at: now)
        guard [.valid, .expired].contains(state), let id = challenge.accountID,
            let account = try connection.account(id, in: realm)
        else { return nil }
        guard !isBanned(account) else { throw GoTrueFailure.bearerUserBanned }
        guard state == .valid else { return nil }
        switch challenge.purpose {
        case .emailChange, .emailChangeCurrent:
            return try applyEmailChange(challenge, of: account, on: connection, at: now)
        case .phone:
            guard challenge.email == account.phone else { return nil }
            try connection.markUsed(challenge, at: now)
            try record(
                .userSignedUp, by: account, ["provider": "phone"], on: connection, at: now)
            let (confirmed, user) = try confirmPhone(of: account, on: connection, at: now)
            return .account(confirmed, user)
        case .phoneChange:
            guard SocotoUser(account).details.newPhone == challenge.email,
                try connection.account(phone: challenge.email, in: realm) == nil
            else { return nil }
            try connection.markUsed(challenge, at: now)
            let (changed, user) = try changePhone(
                of: account, to: challenge.email, on: connection, at: now)
            return .account(changed, user)
        default:
            // A challenge mailed to a former address does not work.
            guard challenge.email == account.email else { return nil }
            try connection.markUsed(challenge, at: now)
            if account.emailVerifiedAt == nil {
                try record(
                    .userSignedUp, by: account, ["provider": "email"], on: connection, at: now)
            } else {
                try record(.login, by: account, on: connection, at: now)
                // A confirmation does the same.
                try connection.invalidateOneTimeTokens(of: account.id, at: now)
            }
            var (confirmed, user) = try Self.confirm(account, on: connection, at: now)
            if [.verify, .invite].contains(challenge.purpose) {
                // The server gives an invited user a password, which ends what was sent before.
                if account.passwordHash == nil, user.details.invitedAt != nil {
                    user.forgetSentMessages()
                }
                try verifyIdentities(of: &confirmed, &user, on: connection)
            }
            return .account(confirmed, user)
        }
    }

    /// Marks the address as verified in the data of every identity that has it, inside a write.
    private func verifyIdentities(
        of account: inout Account, _ user: inout SocotoUser, on connection: Connection
    ) throws {
        let members = [JSON.Member("email_verified", true)]
        user.emailIdentity?.mergeData(members)
        try connection.save(user, of: account)
        for var identity in account.identities {
            guard let email = try JSON(parsing: identity.data)["email"]?.string,
                email.lowercased() == account.email
            else { continue }
            identity.mergeData(members)
            _ = try connection.save(identity, of: account)
        }
        account = try connection.account(account.id, in: realm) ?? account
    }

    private func applyEmailChange(
        _ challenge: Challenge, of account: Account, on connection: Connection, at now: Timestamp
    ) throws -> Application? {
        var user = SocotoUser(account)
        let address = challenge.purpose == .emailChange ? user.newEmail : account.email
        // The address may be taken by now, or another change may have been requested.
        guard let email = user.newEmail, address == challenge.email,
            try connection.account(email: email, in: realm) == nil
        else { return nil }
        try connection.markUsed(challenge, at: now)
        guard user.details.confirmationsLeft < 2 else {
            user.details.confirmationsLeft = 1
            user.updatedAt = now
            try connection.save(user, of: account)
            return .firstConfirmation
        }
        let changed = try changeEmail(of: account, &user, to: email, on: connection, at: now)
        return .account(changed, user)
    }

    /// Sets a confirmed address, inside a write.
    func changeEmail(
        of account: Account, _ user: inout SocotoUser, to email: String, on connection: Connection,
        at now: Timestamp
    ) throws -> Account {
        var account = account
        if account.emailVerifiedAt == nil {
            account.emailVerifiedAt = now
            user.merge([.init("email_verified", true)])
        }
        try connection.setEmail(of: account.id, to: email, verifiedAt: account.emailVerifiedAt)
        try connection.invalidateOneTimeTokens(of: account.id, at: now)
        account.email = email
        user.endChange(ofPhone: false)
        user.updatedAt = now
        user.changeIdentity(
            ofEmail: email, isVerified: true, of: account,
            newID: RandomTokens.uuid(services.world), at: now)
        try connection.save(user, of: account)
        try record(.userModified, by: account, on: connection, at: now)
        return account
    }

    /// Sets a confirmed number, inside a write.
    func changePhone(
        of account: Account, to phone: String, on connection: Connection, at now: Timestamp
    ) throws -> (Account, SocotoUser) {
        var account = account
        var user = SocotoUser(account)
        user.endChange(ofPhone: true)
        user.updatedAt = now
        account.phone = phone
        account.phoneVerifiedAt = now
        try connection.setPhone(of: account.id, to: phone, verifiedAt: now)
        try connection.invalidateOneTimeTokens(of: account.id, at: now)
        try connection.save(user, of: account)
        let changed = try savePhoneIdentity(of: account, on: connection, at: now)
        try record(.userModified, by: changed, on: connection, at: now)
        return (changed, SocotoUser(changed))
    }

    /// The challenge of a link's token.
    ///
    /// The token must have the PKCE prefix exactly if the link belongs to a PKCE flow. Otherwise
    /// any reader of the mail could drop the prefix and sign in without the verifier.
    func findChallenge(
        token: String, for purposes: [Challenge.Purpose], on connection: Connection
    ) throws -> Challenge? {
        let isPKCE = token.hasPrefix(Self.pkceTokenPrefix)
        let digest = Digest.sha256(
            isPKCE ? String(token.dropFirst(Self.pkceTokenPrefix.count)) : token)
        guard try isPKCE == (connection.pkceFlow(link: digest) != nil) else { return nil }
        for purpose in purposes {
            if let found = try connection.challenge(digest, for: purpose, in: realm) {
                return found
            }
        }
        return nil
    }
}

/// The `type` of a request to verify a code or a link.
struct VerificationType: Sendable {
    /// What the code or link may have been sent for. The server stores one token for both a sign-up
    /// and an invitation, and one for both a new password and a sign-in.
    let purposes: [Challenge.Purpose]

    /// Throws the server's 400 for a link of a type that does not exist. Text messages have no
    /// links. A code of such a type is never found.
    init(_ name: String, isOfLink: Bool) throws(GoTrueFailure) {
        switch name {
        case "signup", "invite": purposes = [.verify, .invite]
        case "recovery", "magiclink": purposes = [.reset, .login]
        case "email": purposes = [.verify, .invite, .login, .reset]
        case "email_change": purposes = [.emailChange, .emailChangeCurrent]
        case "sms" where !isOfLink: purposes = [.phone]
        case "phone_change" where !isOfLink: purposes = [.phoneChange]
        default:
            guard !isOfLink else { throw .invalid("Invalid email verification type") }
            purposes = []
        }
    }
}
