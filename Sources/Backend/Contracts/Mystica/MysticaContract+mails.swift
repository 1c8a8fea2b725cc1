import FoundationEssentials
import SQLite
import Secrets
import Web

extension MysticaContract {
    /// POST /auth/resend-verification (F-07, API Requirements 6).
    @Sendable func resend(_ visit: Visit) async throws -> Response {
        try await ask(visit, for: .verify)
        return .json(["message": "Verification email sent"])
    }

    /// POST /auth/reset-password, the real server's seventh endpoint.
    @Sendable func resetPassword(_ visit: Visit) async throws -> Response {
        try await ask(visit, for: .reset)
        return .json([
            "message": """
            If an account with that email exists, a password reset link \
            has been sent.
            """
        ])
    }

    /// Sends the mail if there is somebody to send it to; the caller answers
    /// the same whatever came of it.
    ///
    /// Known and unknown addresses cost the same: the letter is written and
    /// sealed, and one write is committed, either way.
    private func ask(_ visit: Visit, for link: MysticaLink) async throws {
        let body = try JSONBody(visit.request)
        guard let email = try body.text("email", limit: JSONBody.emailLimit) else {
            throw MysticaFailure.missingEmail
        }
        // What is no address belongs to nobody, which is not told.
        guard let address = EmailAddress(email)?.text else { return }
        let realm = realm(visit)
        let account = try await premises.database.read { connection in
            try connection.account(email: address, in: realm)
        }
        let letter =
            switch link {
            case .verify: try verificationLetter(to: address, account: account?.id, in: realm)
            case .reset: try resetLetter(to: address, account: account?.id, in: realm)
            }
        let place = try await premises.database.write { [premises, mailLimit] connection in
            try Self.post(
                letter, to: account, from: premises.mailbox, limit: mailLimit, on: connection)
        }
        premises.mailbox.announce(letter.envelope, at: place)
    }

    private static func post(
        _ letter: Letter, to account: Account?, from mailbox: Mailbox, limit: MailLimit,
        on connection: Connection
    ) throws -> Int64? {
        let draft = letter.envelope.draft
        let refusal: MailRequest.Outcome? =
            if account == nil {
                .unknown
            } else if letter.challenge.purpose == .verify, account?.emailVerifiedAt != nil {
                .needless
            } else { nil }
        guard let refusal else {
            return try letter.post(from: mailbox, limit: limit, on: connection)
        }
        try connection.note(
            MailRequest(
                realm: draft.realm, email: draft.to, purpose: draft.purpose, outcome: refusal,
                requestedAt: draft.sentAt))
        return nil
    }
}
