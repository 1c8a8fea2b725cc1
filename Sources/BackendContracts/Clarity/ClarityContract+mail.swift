import Backend
import Crypto
import SQLite
import Web

extension ClarityContract {
    /// `accounts:sendOobCode`: mails a link.
    func sendOobCode(_ context: RequestContext) async throws -> Response {
        try authorizeRequest(context)
        let body = try GoogleBody(context.request)
        let type = try body.text("requestType")
        guard let type, type != "OOB_REQ_TYPE_UNSPECIFIED", type != "0" else {
            throw GoogleFailure.missingRequestType
        }
        guard !body.flag("returnOobLink") else { throw GoogleFailure.insufficientPermission }
        let continueURL = try body.text("continueUrl", limit: 2_048)
        if let continueURL, !ClarityLink.canContinue(to: continueURL) {
            throw GoogleFailure.relativeContinueURI
        }
        let email: String
        switch ClarityLink(requestType: type) {
        case .reset:
            let address = try readEmailAddress(body).orThrow(GoogleFailure.missingEmail)
            email = address.text
            try await sendResetLink(to: email, continueURL: continueURL)
        case .verify:
            let account = try await authenticateBearer(try body.idToken()).account
            email = account.email ?? ""
            try await sendVerificationLink(to: email, of: account, continueURL: continueURL)
        case nil:
            // Sign-in by link and changes of address are not enabled.
            throw GoogleFailure.operationNotAllowed
        }
        return .json([
            "kind": "identitytoolkit#GetOobConfirmationCodeResponse", "email": .string(email),
        ])
    }

    private func sendVerificationLink(to email: String, of account: Account, continueURL: String?)
        async throws
    {
        try await countMail(
            Self.verificationMailLimit, to: email, for: .verify, orThrow: GoogleFailure.tooManyMails
        )
        try await send(
            try makeMail(.verify, to: email, account: account.id, continueURL: continueURL),
            limit: .unlimited)
    }

    /// Known and unknown addresses take equally long and share the same limit.
    private func sendResetLink(to email: String, continueURL: String?) async throws {
        try await countMail(
            Self.resetMailLimit, to: email, for: .reset, orThrow: GoogleFailure.tooManyResets)
        let account = try await findAccount(email: email)
        try await send(
            try makeMail(.reset, to: email, account: account?.id, continueURL: continueURL),
            limit: .unlimited, refusal: account == nil ? .unknown : nil)
        if account == nil, !isOn(Self.emailPrivacy) { throw GoogleFailure.emailNotFound }
    }

    /// Counts one more mail. If it exceeds the limit, records when the next is allowed and throws.
    func countMail(
        _ limit: RateLimit, to email: String, for purpose: Challenge.Purpose,
        orThrow error: any Error
    ) async throws {
        let now = now
        guard let nextAllowedAt = services.rateLimits.consume(limit, of: email, in: realm, at: now)
        else { return }
        try await recordUnsentMail(to: email, for: purpose, .limited, nextAllowedAt: nextAllowedAt)
        throw error
    }

    /// The mail with the link for this action.
    private func makeMail(
        _ link: ClarityLink, to address: String, account: String?, continueURL: String?
    ) throws -> OutgoingMail {
        let isReset = link == .reset
        return try makeLinkMail(
            for: link.purpose, lifetime: Self.mailLifetime(isReset: isReset), to: address,
            account: account
        ) { code in
            let url = link.url(root: rootURL, code: code, apiKey: apiKey, continueURL: continueURL)
            return Self.makeMailTemplate(
                subject:
                    "\(isReset ? "Reset your password" : "Verify your email") for CLARITY Pulse",
                intro: isReset
                    ? "Follow this link to choose a new password:"
                    : "Follow this link to verify your email address:",
                link: url, button: isReset ? "Choose a new password" : "Verify email",
                closing: Self.mailClosing("link", isReset: isReset))
        }
    }

    private static func makeMailTemplate(
        subject: String, intro: String, link: String? = nil, button: String = "",
        code: String? = nil, closing: String
    ) -> MailTemplate {
        MailTemplate(
            appName: "CLARITY Pulse", sender: "noreply@\(projectID).firebaseapp.com",
            subject: subject, intro: intro, link: link, button: button, code: code,
            closing: closing, buttonColor: "#0067d9", linkColor: "#0067d9")
    }
}

/// Six-digit codes by mail.
extension ClarityContract {
    /// POST /confirm-email.
    func confirmEmail(_ context: RequestContext) async throws -> Response {
        var fields = try FastAPIBody(context.request)
        let address = fields.emailAddress()
        let code = fields.text("code")
        try fields.check()
        let account = try await findAccount(address)
        try await redeemCode(code, for: .verifyCode, of: account) { connection, account, now in
            try connection.verifyEmail(of: account.id, at: now)
        }
        return .json(["status": "confirmed"])
    }

    /// POST /reset-password.
    func cognitoReset(_ context: RequestContext) async throws -> Response {
        var fields = try FastAPIBody(context.request)
        let address = fields.emailAddress()
        let code = fields.text("code")
        let password = fields.newPassword("new_password")
        try fields.check()
        let account = try await findAccount(address)
        // Hashing is expensive, so the code is checked first.
        try await checkCode(code, for: .resetCode, of: account)
        try await applyPasswordReset(by: code, to: password, of: account)
        return .json(["status": "reset"])
    }

    /// Sets the password of `account` with the code mailed to it. `password` is already checked.
    func applyPasswordReset(by code: String, to password: String, of account: Account) async throws
    {
        let hash = try await services.hasher.hash(password)
        try await redeemCode(code, for: .resetCode, of: account) { connection, account, now in
            try connection.applyPasswordReset(hash, of: account, at: now)
        }
        services.rateLimits.clear(
            Self.cognitoFailedLoginLimit, of: account.email ?? "", in: account.realm)
    }

    /// POST /resend-confirmation. The response reveals which addresses have no account.
    func resendConfirmation(_ context: RequestContext) async throws -> Response {
        try await respondWithCode(.verifyCode, context)
    }

    /// POST /forgot-password. The response reveals which addresses have no account.
    func forgotPassword(_ context: RequestContext) async throws -> Response {
        try await respondWithCode(.resetCode, context)
    }

    private func respondWithCode(_ purpose: Challenge.Purpose, _ context: RequestContext)
        async throws -> Response
    {
        var fields = try FastAPIBody(context.request)
        let address = fields.emailAddress()
        try fields.check()
        let account = try await findAccount(address)
        let limit = purpose == .resetCode ? Self.resetMailLimit : Self.verificationMailLimit
        try await countMail(
            limit, to: account.email ?? "", for: purpose, orThrow: FastAPIFailure.rateLimited(limit)
        )
        try await sendCode(purpose, to: account)
        return .json(["status": "sent"])
    }

    func sendCode(_ purpose: Challenge.Purpose, to account: Account) async throws {
        let isReset = purpose == .resetCode
        let mail = try makeCodeMail(
            for: purpose, lifetime: Self.mailLifetime(isReset: isReset), to: account.email ?? "",
            account: account.id
        ) { code in
            Self.makeMailTemplate(
                subject: isReset
                    ? "Your code to reset your CLARITY Pulse password"
                    : "Your CLARITY Pulse verification code",
                intro: isReset
                    ? "This code lets you choose a new password:"
                    : "This code verifies your email address:", code: code,
                closing: Self.mailClosing("code", isReset: isReset))
        }
        _ = try await sendCode(mail, replacing: [purpose])
    }

    /// Throws if the code does not work, and counts the attempt.
    private func checkCode(_ code: String, for purpose: Challenge.Purpose, of account: Account)
        async throws
    {
        let attempt = try makeCodeAttempt(code, of: account.email ?? "", for: [purpose])
        let found = try await database.write { connection in
            try Self.findChallenge(for: attempt, on: connection)
        }
        guard found != nil else { throw FastAPIFailure.invalidCode }
    }

    /// Redeems `code` and runs `action`, or counts a wrong attempt. `action` gets the account as it
    /// is inside the write.
    private func redeemCode(
        _ code: String, for purpose: Challenge.Purpose, of account: Account,
        _ action: @escaping @Sendable (Connection, Account, Timestamp) throws -> Void
    ) async throws {
        let attempt = try makeCodeAttempt(code, of: account.email ?? "", for: [purpose])
        let used = try await database.write { connection -> Challenge? in
            guard let challenge = try Self.findChallenge(for: attempt, on: connection),
                let current = try connection.account(account.id, in: realm),
                current.email == challenge.email, current.disabledAt == nil
            else { return nil }
            try connection.markUsed(challenge, at: attempt.now)
            try action(connection, current, attempt.now)
            return challenge
        }
        guard let used else { throw FastAPIFailure.invalidCode }
        services.mailbox.publishUsed(of: used)
    }

    /// How many wrong attempts invalidate a code.
    private static let maxCodeAttempts = 5

    /// The challenge whose code was entered, if it is valid. Otherwise counts the attempt and, at
    /// `maxCodeAttempts`, invalidates the code.
    private static func findChallenge(for attempt: CodeAttempt, on connection: Connection) throws
        -> Challenge?
    {
        if case .valid(let challenge) = try attempt.check(on: connection) { return challenge }
        if try attempt.countFailure(on: connection) >= maxCodeAttempts {
            try connection.invalidateCodes(
                of: attempt.email, for: attempt.digests.map(\.purpose), in: attempt.realm,
                at: attempt.now)
        }
        return nil
    }

    private func findAccount(_ address: EmailAddress?) async throws -> Account {
        guard let address else { throw FastAPIFailure.invalidEmail }
        let account = try await findAccount(email: address.text).orThrow(
            FastAPIFailure.userNotFound)
        return account
    }
}
