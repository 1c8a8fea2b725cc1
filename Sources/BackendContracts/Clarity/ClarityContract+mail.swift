import Backend
import Core
import Crypto
import FoundationEssentials
import SQLite
import Web

extension ClarityContract {
    /// `accounts:sendOobCode`: mails a link, or returns it to an administrator.
    func sendOobCode(_ context: RequestContext) async throws -> Response {
        let request = try readRequest(context)
        let body = request.body
        let link = try ClarityLink(requestType: try body.text("requestType"))
        let returnsLink = try body.flag("returnOobLink")
        guard !returnsLink || request.isPrivileged else {
            throw GoogleFailure.insufficientPermission
        }
        let continueURL = try body.text("continueUrl", limit: 2_048)
        if let continueURL, !ClarityLink.canContinue(to: continueURL) {
            throw GoogleFailure.relativeContinueURI
        }
        guard let action = try await readAction(link, body, returnsLink: returnsLink) else {
            // The response does not reveal that no account has the address.
            let email = try readEmailAddress(body)?.text
            return Self.sentResponse(email)
        }
        guard !returnsLink else {
            let (code, url) = try await addLink(action, continueURL: continueURL)
            return Self.sentResponse(
                action.email, [.init("oobCode", .string(code)), .init("oobLink", .string(url))])
        }
        if link == .verify || link == .reset {
            let isReset = link == .reset
            try await countMail(
                isReset ? Self.resetMailLimit : Self.verificationMailLimit, to: action.recipient,
                for: link.purpose,
                orThrow: isReset ? GoogleFailure.tooManyResets : GoogleFailure.tooManyMails)
        }
        let isUnknown = link == .reset && action.account == nil
        try await send(
            try makeMail(action, continueURL: continueURL).mail, limit: .unlimited,
            replacesEarlier: false, refusal: isUnknown ? .unknown : nil)
        if isUnknown, !isOn(Self.emailPrivacy) { throw GoogleFailure.emailNotFound }
        return Self.sentResponse(action.email)
    }

    private static func sentResponse(_ email: String?, _ more: [JSON.Member] = []) -> Response {
        .json(
            .object(
                .omittingNil([
                    "kind": "identitytoolkit#GetOobConfirmationCodeResponse",
                    "email": email.map(JSON.string),
                ]) + more))
    }

    /// A link to be mailed or returned.
    struct Action: Sendable {
        let link: ClarityLink
        /// The address of the account.
        let email: String
        var newEmail: String?
        /// The account's id; nil if the address has none.
        let account: String?

        /// Whom it is mailed to.
        var recipient: String { newEmail ?? email }
    }

    /// What a request for a link asks for. Nil for one of an administrator that must not reveal
    /// whether the address has an account.
    ///
    /// A user's own links need an ID token; with `returnsLink` an address is sufficient.
    private func readAction(_ link: ClarityLink, _ body: GoogleBody, returnsLink: Bool)
        async throws -> Action?
    {
        switch link {
        case .signIn:
            guard isOn(Self.emailLinkSignIn) else { throw GoogleFailure.operationNotAllowed }
            let email = try readEmailAddress(body).orThrow(GoogleFailure.missingEmail).text
            return Action(
                link: link, email: email, account: try await findAccount(email: email)?.id)
        case .reset:
            let address = try body.text("email").orThrow(GoogleFailure.missingEmail)
            let email = try Self.emailAddress(address).orThrow(
                isOn(Self.emailPrivacy) ? GoogleFailure.invalidEmail : .emailNotFound
            ).text
            let account = try await findAccount(email: email)
            if account == nil, returnsLink {
                guard isOn(Self.emailPrivacy) else { throw GoogleFailure.emailNotFound }
                return nil
            }
            return Action(link: link, email: email, account: account?.id)
        case .verify:
            let account = try await readOwner(
                body, returnsLink: returnsLink, missingToken: GoogleFailure.invalidIDToken)
            let email = try account.email.orThrow(GoogleFailure.missingEmail)
            return Action(link: link, email: email, account: account.id)
        case .changeEmail, .recoverEmail:
            let newEmail = try readEmailAddress(body, "newEmail").orThrow(
                GoogleFailure.missingNewEmail)
            let account = try await readOwner(
                body, returnsLink: returnsLink, missingToken: GoogleFailure.missingIDToken)
            let email = try account.email.orThrow(GoogleFailure.missingEmail)
            try await checkEmailAvailable(newEmail)
            return Action(link: link, email: email, newEmail: newEmail.text, account: account.id)
        }
    }

    private func readOwner(
        _ body: GoogleBody, returnsLink: Bool, missingToken: GoogleFailure
    ) async throws -> Account {
        let token = try body.idToken()
        guard returnsLink, token == nil else {
            return try await authenticateBearer(try token.orThrow(missingToken)).account
        }
        let address = try body.text("email").orThrow(GoogleFailure.missingEmail)
        let email = try Self.emailAddress(address).orThrow(GoogleFailure.userNotFound).text
        return try await findAccount(email: email).orThrow(GoogleFailure.userNotFound)
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

    /// The mail with the link for this action, and its code and address.
    private func makeMail(_ action: Action, continueURL: String?) throws -> (
        mail: OutgoingMail, code: String, url: String
    ) {
        let code = RandomTokens.secret(services.world)
        let link = action.link
        let url = link.url(root: rootURL, code: code, apiKey: apiKey, continueURL: continueURL)
        let data = ClarityActionCode.ContractData(
            sealedURL: try services.seal(url), email: action.newEmail == nil ? nil : action.email,
            order: Int64(services.world.now().timeIntervalSince1970 * 1_000_000))
        let texts = link.mailTexts(newEmail: action.newEmail)
        let mail = try services.makeMail(
            Self.makeMailTemplate(
                subject: texts.subject, intro: texts.intro, link: url, button: texts.button,
                closing: texts.closing),
            digest: Digest.sha256(code), purpose: link.purpose, lifetime: link.lifetime,
            to: action.recipient, account: action.account, contractData: data.text, in: realm)
        return (mail, code, url)
    }

    /// Adds a link that is not mailed. Others remain valid.
    private func addLink(_ action: Action, continueURL: String?) async throws -> (
        code: String, url: String
    ) {
        let (mail, code, url) = try makeMail(action, continueURL: continueURL)
        let mailed = mail.challenge
        let challenge = Challenge(
            digest: mailed.digest, accountID: mailed.accountID, realm: realm,
            purpose: mailed.purpose, email: mailed.email, createdAt: mailed.createdAt,
            expiresAt: mailed.expiresAt, contractData: mailed.contractData)
        try await database.write { connection in try connection.addCode(challenge) }
        return (code, url)
    }

    /// The mail to the first address of an account, with which a change can be reverted. Nil if the
    /// address does not change.
    func makeRecoveryMail(of account: Account, newEmail: String?) throws -> OutgoingMail? {
        guard let email = account.email, let newEmail, newEmail != email else { return nil }
        let action = Action(
            link: .recoverEmail, email: ClarityProfile(account).initialEmail ?? email,
            account: account.id)
        return try makeMail(action, continueURL: nil).mail
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
