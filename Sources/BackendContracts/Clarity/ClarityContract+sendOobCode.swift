import Backend
import Core
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
        try await database.write { connection in
            try connection.record(
                MailRequest(
                    realm: realm, email: email, purpose: purpose.mailPurpose, outcome: .limited,
                    nextAllowedAt: nextAllowedAt, requestedAt: now))
        }
        throw error
    }

    static let verificationLifetime: Duration = .seconds(86_400)
    static let resetLifetime: Duration = .seconds(3_600)

    /// The mail with the link for this action.
    private func makeMail(
        _ link: ClarityLink, to address: String, account: String?, continueURL: String?
    ) throws -> OutgoingMail {
        try makeLinkMail(
            for: link.purpose,
            lifetime: link == .reset ? Self.resetLifetime : Self.verificationLifetime, to: address,
            account: account
        ) { code in
            let url = link.url(root: rootURL, code: code, apiKey: apiKey, continueURL: continueURL)
            return Self.makeMailTemplate(link, url)
        }
    }

    private static func makeMailTemplate(_ link: ClarityLink, _ href: String) -> MailTemplate {
        switch link {
        case .verify:
            makeMailTemplate(
                subject: "Verify your email for CLARITY Pulse",
                intro: "Follow this link to verify your email address:",
                callToAction: .link(href, button: "Verify email"),
                closing: "The link works once and for 24 hours. If you did not "
                    + "register, ignore this mail.")
        case .reset:
            makeMailTemplate(
                subject: "Reset your password for CLARITY Pulse",
                intro: "Follow this link to choose a new password:",
                callToAction: .link(href, button: "Choose a new password"),
                closing: "The link works once and for one hour. If you did not "
                    + "ask for it, ignore this mail: nothing changes.")
        }
    }

    static func makeMailTemplate(
        subject: String, intro: String, callToAction: MailTemplate.CallToAction, closing: String
    ) -> MailTemplate {
        MailTemplate(
            appName: "CLARITY Pulse", sender: "noreply@\(projectID).firebaseapp.com",
            subject: subject, intro: intro, callToAction: callToAction, closing: closing,
            colors: .init(button: "#0067d9", link: "#0067d9"))
    }

    /// The mail with a code of the Cognito backend.
    static func makeMailTemplate(_ code: String, for purpose: Challenge.Purpose) -> MailTemplate {
        purpose == .resetCode
            ? makeMailTemplate(
                subject: "Your code to reset your CLARITY Pulse password",
                intro: "This code lets you choose a new password:", callToAction: .code(code),
                closing: "The code works once and for one hour. If you did not "
                    + "ask for it, ignore this mail: nothing changes.")
            : makeMailTemplate(
                subject: "Your CLARITY Pulse verification code",
                intro: "This code verifies your email address:", callToAction: .code(code),
                closing: "The code works once and for 24 hours. If you did not "
                    + "register, ignore this mail.")
    }
}
