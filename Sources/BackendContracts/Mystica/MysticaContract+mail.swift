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
        let refusal: MailRequest.Outcome? =
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
