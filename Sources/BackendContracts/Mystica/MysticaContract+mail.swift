import Backend
import Core
import Crypto
import FoundationEssentials
import SQLite
import Web

extension MysticaContract {
    /// POST /auth/resend-verification (F-07, API Requirements 6).
    func resend(_ context: RequestContext) async throws -> Response {
        try await requestMail(context, makeMail: makeVerificationMail)
        return .json(["message": "Verification email sent"])
    }

    /// POST /auth/reset-password, the real server's seventh endpoint.
    func resetPassword(_ context: RequestContext) async throws -> Response {
        try await requestMail(context, makeMail: makeResetMail)
        return .json([
            "message": """
            If an account with that email exists, a password reset link \
            has been sent.
            """
        ])
    }

    /// Sends the mail if the address has an account. The response is the same either way.
    private func requestMail(
        _ context: RequestContext,
        makeMail: (_ address: String, _ account: String?) throws -> OutgoingMail
    ) async throws {
        let body = try JSONBody(context.request)
        let email = try body.email().orThrow(MysticaFailure.missingEmail)
        // An invalid address has no account, and the response does not reveal it.
        guard let address = EmailAddress(email)?.text else { return }
        let account = try await findAccount(email: address)
        let mail = try makeMail(address, account?.id)
        let isVerification = mail.challenge.purpose == .verify
        let refusal: MailOutcome? =
            switch account {
            case nil: .unknown
            case let account? where isVerification && account.emailVerifiedAt != nil:
                .alreadyVerified
            default: nil
            }
        try await send(mail, limit: mailLimit, refusal: refusal)
    }

    /// One day, as at the real server's mail provider.
    static let verificationLifetime: Duration = .seconds(86_400)
    static let resetLifetime: Duration = .seconds(3_600)

    func makeVerificationMail(to address: String, account: String?) throws -> OutgoingMail {
        try makeMail(
            subject: "Verify your email",
            intro: "Welcome to Mystica. Follow this link to verify your email address:",
            button: "Verify email",
            closing: "The link works once and for 24 hours. If you did not "
                + "register, ignore this mail.", purpose: .verify, path: "verify",
            lifetime: Self.verificationLifetime, to: address, account: account)
    }

    func makeResetMail(to address: String, account: String?) throws -> OutgoingMail {
        try makeMail(
            subject: "Reset your password",
            intro: "Follow this link to choose a new password for Mystica:",
            button: "Choose a new password",
            closing: "The link works once and for one hour. If you did not "
                + "ask for it, ignore this mail: nothing changes.", purpose: .reset, path: "reset",
            lifetime: Self.resetLifetime, to: address, account: account)
    }

    private func makeMail(
        subject: String, intro: String, button: String, closing: String, purpose: Challenge.Purpose,
        path: String, lifetime: Duration, to address: String, account: String?
    ) throws -> OutgoingMail {
        try makeLinkMail(for: purpose, lifetime: lifetime, to: address, account: account) {
            MailTemplate(
                appName: "Mystica", sender: "no-reply@mystica.app", subject: subject, intro: intro,
                callToAction: .link("\(baseURL)/\(path)?token=\($0)", button: button),
                closing: closing, colors: .init(button: "#2d1810", link: "#8b4513"))
        }
    }
}

/// The pages behind the mailed links.
extension MysticaContract {
    /// GET /verify?token=…: following the link verifies the address.
    ///
    /// A HEAD request, which link scanners send, shows nothing and does not use the link up.
    func verify(_ context: RequestContext) async throws -> Response {
        guard let secret = Self.readSecret(context) else {
            return Self.pages.verification(.unknown).response
        }
        let link = try await followLink(
            secret, for: .verify, isPreview: context.request.method == .head
        ) { account, connection, now in try connection.verifyEmail(of: account.id, at: now) }
        return Self.pages.verification(link.state).response
    }

    /// GET /reset?token=…: shows the form for a new password. It does not use the link up.
    func showResetForm(_ context: RequestContext) async throws -> Response {
        let secret = Self.readSecret(context) ?? ""
        let state = try await linkState(secret, for: .reset)
        return state == .valid
            ? Self.newPasswordForm(secret: secret) : Self.pages.passwordReset(state).response
    }

    /// POST /reset: sets the new password and ends every session.
    func reset(_ context: RequestContext) async throws -> Response {
        let form = try Form(context.request)
        let secret = form["token"] ?? ""
        let password = form["password"] ?? ""
        let state = try await linkState(secret, for: .reset)
        guard state == .valid else { return Self.pages.passwordReset(state).response }
        if let error = Self.passwordError(for: password) {
            return Self.newPasswordForm(secret: secret, error: error)
        }
        let hash = try await services.hasher.hash(password)
        let link = try await followLink(secret, for: .reset) { account, connection, now in
            try connection.setPassword(of: account.id, hash: hash)
            try connection.verifyEmail(of: account.id, at: now)
            try connection.revokeSessions(of: account.id, reason: .passwordChanged, at: now)
        }
        return Self.pages.passwordReset(link.state).response
    }

    /// Why a new password is invalid, or nil.
    private static func passwordError(for password: String) -> String? {
        if password.utf16.count < minPasswordLength {
            return "Password must be at least 8 characters"
        }
        if password.utf8.count > JSONBody.passwordLimit {
            return "Password must have at most \(JSONBody.passwordLimit) bytes"
        }
        return nil
    }

    private static func readSecret(_ context: RequestContext) -> String? {
        context.target.query.first { $0.name == "token" }?.value
    }

    private static let pages = LinkPages(
        appName: "Mystica",
        resetRetryText: "For a new one, ask the app to reset your password again.",
        passwordRule: "At least 8 characters.",
        verifiedText: "Thank you. You can go back to the app and log in now.",
        alreadyVerifiedText: "This link was used before: your email is verified. You "
            + "can go back to the app and log in.",
        verificationRetryText: "For a new one, open the app and choose Resend Verification Email.")

    /// The form for a new password, with the `secret` of the link.
    private static func newPasswordForm(secret: String, error: String? = nil) -> Response {
        pages.newPasswordForm(hiddenFields: [("token", secret)], error: error).response
    }
}
