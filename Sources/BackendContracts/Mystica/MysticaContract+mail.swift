import Backend
import Core
import Crypto
import FoundationEssentials
import SQLite
import Web

extension MysticaContract {
    /// POST /auth/resend-verification (F-07, API Requirements 6).
    @Sendable func resend(_ context: RequestContext) async throws -> Response {
        try await requestMail(context, makeMail: makeVerificationMail)
        return .json(["message": "Verification email sent"])
    }

    /// POST /auth/reset-password, the real server's seventh endpoint.
    @Sendable func resetPassword(_ context: RequestContext) async throws -> Response {
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
        makeMail: (_ address: String, _ account: String?, Realm) throws -> OutgoingMail
    ) async throws {
        let body = try JSONBody(context.request)
        guard let email = try body.text("email", limit: JSONBody.emailLimit) else {
            throw MysticaFailure.missingEmail
        }
        // An invalid address has no account, and the response does not reveal it.
        guard let address = EmailAddress(email)?.text else { return }
        let realm = realm(context)
        let account = try await services.account(email: address, in: realm)
        let mail = try makeMail(address, account?.id, realm)
        let isVerification = mail.challenge.purpose == .verify
        let refusal: MailRequest.Outcome? =
            switch account {
            case nil: .unknown
            case let account? where isVerification && account.emailVerifiedAt != nil:
                .alreadyVerified
            default: nil
            }
        try await services.send(mail, limit: mailLimit, refusal: refusal)
    }

    /// One day, as at the real server's mail provider.
    static let verificationLifetime: Duration = .seconds(86_400)
    static let resetLifetime: Duration = .seconds(3_600)

    func makeVerificationMail(to address: String, account: String?, in realm: Realm) throws
        -> OutgoingMail
    {
        try makeMail(
            subject: "Verify your email",
            intro: "Welcome to Mystica. Follow this link to verify your email address:",
            button: "Verify email",
            closing: "The link works once and for 24 hours. If you did not "
                + "register, ignore this mail.", purpose: .verify, path: "verify",
            lifetime: Self.verificationLifetime, to: address, account: account, in: realm)
    }

    func makeResetMail(to address: String, account: String?, in realm: Realm) throws -> OutgoingMail
    {
        try makeMail(
            subject: "Reset your password",
            intro: "Follow this link to choose a new password for Mystica:",
            button: "Choose a new password",
            closing: "The link works once and for one hour. If you did not "
                + "ask for it, ignore this mail: nothing changes.", purpose: .reset, path: "reset",
            lifetime: Self.resetLifetime, to: address, account: account, in: realm)
    }

    private func makeMail(
        subject: String, intro: String, button: String, closing: String, purpose: Challenge.Purpose,
        path: String, lifetime: Duration, to address: String, account: String?, in realm: Realm
    ) throws -> OutgoingMail {
        let secret = RandomTokens.secret(services.world)
        let template = MailTemplate(
            appName: "Mystica", sender: "no-reply@mystica.app", subject: subject, intro: intro,
            callToAction: .link(
                "\(services.baseURL(of: realm))/\(path)?token=\(secret)", button: button),
            closing: closing, colors: .init(button: "#2d1810", link: "#8b4513"))
        return try services.makeMail(
            template, digest: Digest.sha256(secret), purpose: purpose, lifetime: lifetime,
            to: address, account: account, in: realm)
    }
}
