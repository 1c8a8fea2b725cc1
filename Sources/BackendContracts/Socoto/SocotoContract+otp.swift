import Backend
import Core
import Crypto
import SQLite
import Web

/// One-time codes and links for a sign-in without a password.
extension SocotoContract {
    /// POST /otp: by mail or by text message.
    func otp(_ context: RequestContext) async throws -> Response {
        try checkRequestLimit(context, Self.otpLimit)
        let body = try GoTrueBody(context.request, as: "OtpParams")
        let address = try body.text("email")
        let phone = try body.text("phone")
        guard address.isEmpty || phone.isEmpty else {
            throw GoTrueFailure.invalid("Only an email address or phone number should be provided")
        }
        guard try address.isEmpty || body.text("channel").isEmpty else {
            throw GoTrueFailure.invalid("Channel should only be specified with Phone OTP")
        }
        let challenge = try PKCEChallenge(body)
        let createsUser = try body.bool("create_user") ?? true
        guard address.isEmpty || createsUser || GoTrueEmailAddress.isAccepted(address) else {
            // As for an address without a user.
            throw GoTrueFailure.otpDisabled
        }
        let metadata = try body.object("data") ?? []
        try SocotoUser.checkSize(metadata)
        let recipient: Recipient
        if !address.isEmpty {
            let email = GoTrueEmailAddress.isAccepted(address) ? address.lowercased() : nil
            if let email, !createsUser, try await findAccount(email: email) == nil {
                throw GoTrueFailure.otpDisabled
            }
            guard isOn(Self.emailSignIns) else { throw GoTrueFailure.emailLoginsDisabled }
            recipient = .email(try GoTrueEmailAddress.parse(address))
        } else if !phone.isEmpty {
            guard isOn(Self.phoneSignIns) else { throw GoTrueFailure.unsupportedPhoneProvider }
            recipient = .phone(try GoTruePhoneNumber.parse(phone))
            try GoTruePhoneNumber.checkChannel(body)
        } else {
            throw GoTrueFailure.invalid("One of email or phone must be set")
        }
        return try await sendOneTimeCode(
            to: recipient, createsUser: createsUser, metadata, context, challenge)
    }

    /// POST /magiclink: an older name of the mail that `/otp` sends.
    func magicLink(_ context: RequestContext) async throws -> Response {
        try checkRequestLimit(context, Self.magicLinkLimit)
        guard isOn(Self.emailSignIns) else { throw GoTrueFailure.emailLoginsDisabled }
        let body = try GoTrueBody(
            context.request, as: "MagicLinkParams", what: "Could not read verification params")
        let address = try body.text("email")
        guard !address.isEmpty else {
            throw GoTrueFailure(
                422, "validation_failed", "Password recovery requires an email")
        }
        let email = try GoTrueEmailAddress.parse(address)
        let challenge = try PKCEChallenge(body)
        let metadata = try body.object("data") ?? []
        try SocotoUser.checkSize(metadata)
        return try await sendOneTimeCode(
            to: .email(email), createsUser: true, metadata, context, challenge)
    }

    /// A user who has not confirmed the address or number yet, or does not exist, gets the message
    /// of a sign-up.
    private func sendOneTimeCode(
        to recipient: Recipient, createsUser: Bool, _ metadata: [JSON.Member],
        _ context: RequestContext, _ challenge: PKCEChallenge?
    ) async throws -> Response {
        let found = try await database.read { connection in
            try findAccount(recipient, on: connection)
        }
        guard found != nil || createsUser else { throw GoTrueFailure.otpDisabled }
        var account = found
        if account?.isConfirmed(recipient) != true {
            guard isOn(Self.signups) else { throw GoTrueFailure.signupsDisabled }
            let now = now
            let created = try await findOrCreateAccount(
                recipient, hash: nil, metadata, audience: audience(context), at: now)
            guard !needsConfirmation(recipient) else {
                _ = try await sendConfirmation(recipient, to: created, context, challenge)
                return Self.emptyResponse
            }
            account = try await write { connection, now in
                let (account, _) = try confirm(created.id, recipient, on: connection, at: now)
                try record(
                    .userSignedUp, by: account, ["provider": .string(recipient.provider)],
                    on: connection, at: now)
                return account
            }
        }
        guard let account else { return Self.emptyResponse }
        let now = now
        let mail =
            switch recipient {
            case .email(let email):
                try makeMail(.magicLink, to: email, account: account, context, challenge)
            case .phone(let phone): try makeTextMessage(.phone, to: phone, account: account)
            }
        _ = try await sendAndRecord(mail, to: account, challenge, .recoveryRequested) { user in
            switch recipient {
            case .email: user.recoverySentAt = now
            case .phone: user.confirmationSentAt = now
            }
        }
        return Self.emptyResponse
    }

    /// Whether a new account has to confirm this before it can sign in.
    private func needsConfirmation(_ recipient: Recipient) -> Bool {
        switch recipient {
        case .email: isOn(Self.confirmEmail)
        case .phone: !isOn(Self.confirmsPhonesAtOnce)
        }
    }

    static let emptyResponse = Response.plainJSON(.object([]))
}

/// Text messages with a code.
extension SocotoContract {
    /// A text message to `phone`. Its code is checked like that of a mail.
    func makeTextMessage(_ purpose: Challenge.Purpose, to phone: String, account: Account) throws
        -> OutgoingMail
    {
        let id = services.world.makeID("mail")
        let code = accessTokens.keyring.makeCode()
        return try services.makeTextMessage(
            TextMessageTemplate(appName: "Socoto", text: "Your code is \(code)", code: code),
            id: id, digest: Digest.sha256(try linkSecret(of: id, to: phone, code)),
            purpose: purpose, lifetime: SocotoLink.lifetime, to: phone, account: account.id,
            in: realm)
    }

    /// GET /reauthenticate: sends the code that a change of password requires after a day.
    func reauthenticate(_ context: RequestContext) async throws -> Response {
        let account = try await authenticateBearer(context).account
        let mail: OutgoingMail
        if let email = account.email {
            guard account.emailVerifiedAt != nil else { throw GoTrueFailure.unconfirmedEmail }
            mail = try makeCodeMail(to: email, account: account)
        } else if let phone = account.phone {
            guard account.phoneVerifiedAt != nil else { throw GoTrueFailure.unconfirmedPhone }
            mail = try makeTextMessage(.reauthentication, to: phone, account: account)
        } else {
            throw GoTrueFailure.nothingToReauthenticate
        }
        let now = now
        _ = try await sendAndRecord(mail, to: account, nil, .reauthenticateRequested) {
            $0.details.reauthenticationSentAt = now
        }
        return Self.emptyResponse
    }

    private func makeCodeMail(to email: String, account: Account) throws -> OutgoingMail {
        let id = services.world.makeID("mail")
        let code = accessTokens.keyring.makeCode()
        let template = MailTemplate(
            appName: "Socoto", sender: "no-reply@socoto.app", subject: "Confirm reauthentication",
            intro: "Enter this code in Socoto to confirm that it is you:", code: code,
            closing: "The code works once and for one hour. If you did not ask for this mail, "
                + "ignore it: nothing changes.", buttonColor: "#2563a8", linkColor: "#2563a8")
        return try services.makeMail(
            template, id: id, digest: Digest.sha256(try linkSecret(of: id, to: email, code)),
            purpose: .reauthentication, lifetime: SocotoLink.lifetime, to: email,
            account: account.id, in: realm)
    }
}
