import Backend
import Crypto
import FoundationEssentials
import SQLite
import Web

extension MysticaContract {
    /// POST /auth/resend-verification (F-07, API Requirements 6).
    @Sendable func resend(_ context: RequestContext) async throws -> Response {
        try await requestMail(context, for: .verify)
        return .json(["message": "Verification email sent"])
    }

    /// POST /auth/reset-password, the real server's seventh endpoint.
    @Sendable func resetPassword(_ context: RequestContext) async throws -> Response {
        try await requestMail(context, for: .reset)
        return .json([
            "message": """
            If an account with that email exists, a password reset link \
            has been sent.
            """
        ])
    }

    /// Sends the mail if the address has an account. The response is the same either way.
    ///
    /// Known and unknown addresses take equally long: the mail is made and sealed, and one write is
    /// committed, in both cases.
    private func requestMail(_ context: RequestContext, for link: MysticaLink) async throws {
        let body = try JSONBody(context.request)
        guard let email = try body.text("email", limit: JSONBody.emailLimit) else {
            throw MysticaFailure.missingEmail
        }
        // An invalid address has no account, and the response does not reveal it.
        guard let address = EmailAddress(email)?.text else { return }
        let realm = realm(context)
        let account = try await services.account(email: address, in: realm)
        let mail =
            switch link {
            case .verify: try makeVerificationMail(to: address, account: account?.id, in: realm)
            case .reset: try makeResetMail(to: address, account: account?.id, in: realm)
            }
        let sequence = try await services.database.write { [services, mailLimit] connection in
            try Self.send(
                mail, to: account, from: services.mailbox, limit: mailLimit, on: connection)
        }
        services.mailbox.publishSent(mail.sealedDraft, at: sequence)
    }

    private static func send(
        _ mail: OutgoingMail, to account: Account?, from mailbox: Mailbox, limit: MailLimit,
        on connection: Connection
    ) throws -> Int64? {
        let draft = mail.sealedDraft.draft
        let outcome: MailRequest.Outcome? =
            if account == nil {
                .unknown
            } else if mail.challenge.purpose == .verify, account?.emailVerifiedAt != nil {
                .alreadyVerified
            } else { nil }
        guard let outcome else {
            return try mail.send(from: mailbox, limit: limit, on: connection)
        }
        try connection.record(
            MailRequest(
                realm: draft.realm, email: draft.to, purpose: draft.purpose, outcome: outcome,
                requestedAt: draft.sentAt))
        return nil
    }
}
