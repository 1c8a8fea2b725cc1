import Backend
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
}
