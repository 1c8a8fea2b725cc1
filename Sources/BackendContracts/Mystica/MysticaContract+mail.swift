import Backend
import Crypto
import FoundationEssentials
import SQLite
import Web

extension MysticaContract {
    /// POST /auth/resend-verification (F-07, API Requirements 6).
    func resend(_ context: RequestContext) async throws -> Response {
        try await requestMail(context, for: .verify)
        return .json(["message": "Verification email sent"])
    }

    /// POST /auth/reset-password, the real server's seventh endpoint.
    func resetPassword(_ context: RequestContext) async throws -> Response {
        try await requestMail(context, for: .reset)
        return .json([
            "message": "If an account with that email exists, a password reset link has been sent."
        ])
    }

    /// Sends the mail if the address has an account. The response is the same either way.
    private func requestMail(_ context: RequestContext, for purpose: Challenge.Purpose) async throws
    {
        let body = try JSONBody(context.request)
        let email = try body.email().orThrow(MysticaFailure.missingEmail)
        // An invalid address has no account, and the response does not reveal it.
        guard let address = EmailAddress(email)?.text else { return }
        let account = try await findAccount(email: address)
        let mail = try makeMail(for: purpose, to: address, account: account?.id)
        let isVerified = account?.emailVerifiedAt != nil
        let refusal: MailOutcome? =
            account == nil ? .unknown : purpose == .verify && isVerified ? .alreadyVerified : nil
        try await send(mail, limit: mailLimit, refusal: refusal)
    }

    /// The mail with the link to verify an address or to reset a password.
    func makeMail(for purpose: Challenge.Purpose, to address: String, account: String?) throws
        -> OutgoingMail
    {
        let isReset = purpose == .reset
        return try makeLinkMail(
            for: purpose, lifetime: Self.mailLifetime(isReset: isReset), to: address,
            account: account
        ) { secret in
            let url = "\(baseURL)/\(purpose.rawValue)?token=\(secret)"
            return MailTemplate(
                appName: "Mystica", sender: "no-reply@mystica.app",
                subject: isReset ? "Reset your password" : "Verify your email",
                intro: isReset
                    ? "Follow this link to choose a new password for Mystica:"
                    : "Welcome to Mystica. Follow this link to verify your email address:",
                link: url, button: isReset ? "Choose a new password" : "Verify email",
                closing: Self.mailClosing("link", isReset: isReset), buttonColor: "#2d1810",
                linkColor: "#8b4513")
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
        context.target.query.value(of: "token")
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
