import Backend
import Core
import Crypto
import SQLite
import Web

/// Requests for mails. The response is the same whether or not the address has an account.
extension SocotoContract {
    /// POST /recover.
    func recover(_ context: RequestContext) async throws -> Response {
        try checkRequestLimit(context, Self.recoverLimit)
        guard isOn(Self.emailSignIns) else { throw GoTrueFailure.emailMailsDisabled }
        let body = try GoTrueBody(context.request, as: "RecoverParams")
        let raw = try body.text("email")
        guard !raw.isEmpty else {
            throw GoTrueFailure.invalid("Password recovery requires an email")
        }
        let email = try GoTrueEmailAddress.parse(raw)
        let challenge = try PKCEChallenge(body)
        guard let account = try await findAccount(email: email) else {
            return try await refuseMail(.recovery, to: email, .unknown, context)
        }
        let now = now
        let mail = try makeMail(.recovery, to: email, account: account, context, challenge)
        _ = try await sendAndRecord(mail, to: account, challenge, .recoveryRequested) {
            $0.recoverySentAt = now
        }
        return Self.emptyResponse
    }

    /// POST /resend.
    func resend(_ context: RequestContext) async throws -> Response {
        try checkRequestLimit(context, Self.resendLimit)
        let body = try GoTrueBody(context.request, as: "ResendConfirmationParams")
        let type = try body.text("type")
        let isOfMail = ["signup", "email_change"].contains(type)
        guard isOfMail || ["sms", "phone_change"].contains(type) else {
            throw GoTrueFailure.invalid(
                "Missing one of these types: signup, email_change, sms, phone_change")
        }
        let challenge = isOfMail ? try PKCEChallenge(body) : nil
        let address = try body.text("email")
        let phone = try body.text("phone")
        guard !address.isEmpty || type != "signup" else {
            throw GoTrueFailure.invalid("Type provided requires an email address")
        }
        guard !phone.isEmpty || type != "sms" else {
            throw GoTrueFailure.invalid("Type provided requires a phone number")
        }
        guard address.isEmpty || phone.isEmpty else {
            throw GoTrueFailure.invalid(
                "Only an email address or phone number should be provided.")
        }
        let recipient: Recipient
        if !address.isEmpty {
            guard isOn(Self.emailSignIns) else { throw GoTrueFailure.emailMailsDisabled }
            recipient = .email(try GoTrueEmailAddress.parse(address))
        } else if !phone.isEmpty {
            guard isOn(Self.phoneSignIns) else { throw GoTrueFailure.phoneResendsDisabled }
            recipient = .phone(try GoTruePhoneNumber.parse(phone))
        } else {
            throw GoTrueFailure.invalid("Missing email address or phone number")
        }
        let found = try await database.read { connection in
            try findAccount(recipient, on: connection)
        }
        let outcome = try await resend(type, to: found, context, challenge)
        if let outcome {
            let link: SocotoLink = type == "email_change" ? .emailChange : .signup
            return try await refuseMail(link, to: recipient.text, outcome, context)
        }
        return Self.emptyResponse
    }

    /// Sends what `type` names once more. Returns why there is nothing to send.
    private func resend(
        _ type: String, to account: Account?, _ context: RequestContext,
        _ challenge: PKCEChallenge?
    ) async throws -> MailOutcome? {
        guard let account else { return .unknown }
        let user = SocotoUser(account)
        let now = now
        switch type {
        case "signup":
            guard account.emailVerifiedAt == nil, let email = account.email else {
                return .alreadyVerified
            }
            _ = try await sendConfirmation(.email(email), to: account, context, challenge)
        case "sms":
            guard account.phoneVerifiedAt == nil, let phone = account.phone else {
                return .alreadyVerified
            }
            let message = try makeTextMessage(.phone, to: phone, account: account)
            _ = try await sendAndRecord(message, to: account, nil, .recoveryRequested) {
                $0.confirmationSentAt = now
            }
        case "email_change":
            guard let email = user.newEmail else { return .alreadyVerified }
            let mails = try makeEmailChangeMails(to: email, of: account, context, challenge)
            let (sequences, held) = try await write { connection, now in
                var user = SocotoUser(try connection.account(account.id, in: realm) ?? account)
                guard user.newEmail == email else { return ([Int64?](), OutgoingMail?.none) }
                if let held = try heldBack(mails, on: connection) { return ([], held) }
                let sequences = try send(mails, challenge, &user, at: now, on: connection)
                try connection.save(user, of: account)
                return (sequences, nil)
            }
            if let held { try await announce(held, at: nil) }
            for (mail, sequence) in zip(mails, sequences) {
                try await announce(mail, at: sequence)
            }
        default:
            guard let phone = user.details.newPhone else { return .alreadyVerified }
            let message = try makeTextMessage(.phoneChange, to: phone, account: account)
            _ = try await sendAndRecord(message, to: account, nil, nil) {
                $0.details.phoneChangeSentAt = now
            }
        }
        return nil
    }

    /// Unknown addresses take as long as known ones: the mail is made and sealed, and one write is
    /// committed.
    private func refuseMail(
        _ link: SocotoLink, to address: String, _ outcome: MailOutcome, _ context: RequestContext
    ) async throws -> Response {
        let account = Account(id: RandomTokens.uuid(services.world), realm: realm, createdAt: now)
        let mail = try makeMail(link, to: address, account: account, context, nil)
        try await send(mail, limit: .unlimited, refusal: outcome)
        return Self.emptyResponse
    }

    var redirectPolicy: RedirectPolicy { RedirectPolicy(siteURL: baseURL + "/site") }

    /// A mail with a link and a code of the same challenge, for the link's usual purpose or
    /// another.
    func makeMail(
        _ link: SocotoLink, for purpose: Challenge.Purpose? = nil, to address: String,
        account: Account, _ context: RequestContext, _ challenge: PKCEChallenge?
    ) throws -> OutgoingMail {
        let issued = try issueLink(
            link, to: address, redirectURL: redirectPolicy.redirectURL(context),
            isFlow: challenge != nil)
        return try services.makeMail(
            link.makeMailTemplate(link: issued.url, code: issued.code), id: issued.mailID,
            digest: Digest.sha256(issued.secret), purpose: purpose ?? link.purpose,
            lifetime: SocotoLink.lifetime, to: address, account: account.id, in: realm)
    }

    /// A link and its code, which was not sent yet.
    struct IssuedLink: Sendable {
        /// The mail it is or would be sent with.
        let mailID: String
        let code: String
        let secret: String
        let url: String
    }

    /// Makes a link. Its secret is derived from the code, so neither is stored.
    func issueLink(_ link: SocotoLink, to address: String, redirectURL: String, isFlow: Bool)
        throws -> IssuedLink
    {
        let id = services.world.makeID("mail")
        let code = accessTokens.keyring.makeCode()
        let secret = try linkSecret(of: id, to: address, code)
        let token = isFlow ? Self.pkceTokenPrefix + secret : secret
        // As at the real server, the URL is escaped only if it would otherwise break the link.
        let escaped =
            redirectURL.contains { "&=#".contains($0) }
            ? PercentEncoding.encode(redirectURL) : redirectURL
        return IssuedLink(
            mailID: id, code: code, secret: secret,
            url: "\(issuer)/verify?token=\(token)&type=\(link.rawValue)&redirect_to=\(escaped)")
    }

    /// The prefix of a link's token if its follower must also present a PKCE verifier.
    static let pkceTokenPrefix = "pkce_"

    /// The secret in a mail's link. It is as long as the real server's, and can only be derived
    /// with the key for codes.
    func linkSecret(of mail: String, to address: String, _ code: String) throws -> String {
        let text = "\(mail) \(address) \(code)"
        return String(try accessTokens.keyring.digest(text).prefix(56))
    }

    var mailLimit: MailLimit {
        MailLimit(count: 1, window: .seconds(isOn(Self.limitsMailToOnePerMinute) ? 60 : 1))
    }

    /// Sends a mail inside a write. Nil if the limit holds it back.
    func sendMail(_ mail: OutgoingMail, _ challenge: PKCEChallenge?, on connection: Connection)
        throws -> Int64?
    {
        let sent = mail.challenge
        if let nextAllowedAt = try mailLimitEnd(mail, on: connection),
            nextAllowedAt > sent.createdAt
        {
            try connection.recordMailRequest(
                to: sent.email, for: sent.purpose.mailPurpose, .limited,
                nextAllowedAt: nextAllowedAt, in: realm, at: sent.createdAt)
            return nil
        }
        let sequence = try connection.sendLink(mail, limit: .unlimited)
        try connection.invalidateCodes(
            of: sent.email, for: sent.purpose.replacedPurposes, in: realm, at: sent.createdAt)
        if let challenge, let account = sent.accountID {
            try connection.addPKCEFlow(
                link: sent.digest, account: account, codeChallenge: challenge.value,
                method: challenge.method.rawValue)
        }
        return sequence
    }

    /// When the limit next lets a mail like this be sent. Nil if there was none.
    private func mailLimitEnd(_ mail: OutgoingMail, on connection: Connection) throws
        -> Timestamp?
    {
        let sent = mail.challenge
        return try ([sent.purpose] + sent.purpose.replacedPurposes).compactMap { purpose in
            let other = Challenge(
                digest: "", accountID: nil, realm: realm, purpose: purpose, email: sent.email,
                createdAt: sent.createdAt, expiresAt: sent.expiresAt)
            return try connection.mailLimitEnd(for: other, mailLimit, at: sent.createdAt)
        }.max()
    }

    /// The first of `mails` that the limit holds back, which is recorded. Called inside a write.
    func heldBack(_ mails: [OutgoingMail], on connection: Connection) throws -> OutgoingMail? {
        let held = try mails.first { mail in
            try mailLimitEnd(mail, on: connection).map { $0 > mail.challenge.createdAt } ?? false
        }
        if let held { _ = try sendMail(held, nil, on: connection) }
        return held
    }

    /// Publishes a mail that was sent. If the limit held it back, throws how long the client must
    /// wait.
    func announce(_ mail: OutgoingMail, at sequence: Int64?) async throws {
        guard sequence == nil else { return services.mailbox.publishSent(mail, at: sequence) }
        let now = now
        let nextAllowedAt = try await database.read { connection in
            try mailLimitEnd(mail, on: connection)
        }
        let remaining = (nextAllowedAt ?? mail.challenge.createdAt).milliseconds - now.milliseconds
        let seconds = max(1, (remaining + 999) / 1_000)
        throw mail.isTextMessage
            ? GoTrueFailure.textMessageRateLimited(seconds: seconds)
            : GoTrueFailure.mailRateLimited(seconds: seconds)
    }

    /// Sends a mail, stores what `update` changes in the user, and records the request for it.
    func sendAndRecord(
        _ mail: OutgoingMail, to account: Account, _ challenge: PKCEChallenge?,
        _ action: AuditAction?, _ traits: KeyValuePairs<String, JSON> = [:],
        update: @escaping @Sendable (inout SocotoUser) -> Void
    ) async throws -> SocotoUser {
        try checkMessageLimit(isTextMessage: mail.isTextMessage)
        let (user, sequence) = try await write { connection, now -> (SocotoUser, Int64?) in
            // The account may have changed since it was read.
            let current = try connection.account(account.id, in: realm)
            var user = SocotoUser(current ?? account)
            let sequence = try sendMail(mail, challenge, on: connection)
            if sequence != nil {
                update(&user)
                try connection.save(user, of: account)
                if let action { try record(action, by: account, traits, on: connection, at: now) }
            }
            return (user, sequence)
        }
        try await announce(mail, at: sequence)
        return user
    }
}

extension OutgoingMail {
    var isTextMessage: Bool { !challenge.email.contains("@") }
}

extension Connection {
    /// Makes every mailed or texted link and code of an account invalid.
    func invalidateOneTimeTokens(of account: String, at now: Timestamp) throws {
        try invalidateChallenges(of: account, for: Challenge.Purpose.oneTimeTokens, at: now)
    }
}

extension Challenge.Purpose {
    /// What the server sends links and codes for.
    fileprivate static let oneTimeTokens: [Self] = [
        .verify, .invite, .reset, .login, .emailChange, .emailChangeCurrent, .phone, .phoneChange,
        .reauthentication,
    ]

    /// The other purposes whose links and codes a new one replaces: the server stores one token for
    /// both.
    var replacedPurposes: [Challenge.Purpose] {
        switch self {
        case .verify: [.invite]
        case .invite: [.verify]
        case .reset: [.login]
        case .login: [.reset]
        default: []
        }
    }
}
