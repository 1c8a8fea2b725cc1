import SQLite
import Web

/// Asking for a mail: the answer is the same whether there is somebody to
/// send it to or not.
extension SocotoContract {
    /// POST /recover.
    @Sendable func recover(_ visit: Visit) async throws -> Response {
        let body = try SocotoBody(visit.request, as: "RecoverParams")
        let raw = try body.text("email")
        guard !raw.isEmpty else {
            throw SocotoFailure.invalid("Password recovery requires an email")
        }
        let challenge = try SocotoChallenge(body)
        let email = try SocotoAddress.read(raw)
        let realm = realm(visit)
        let account = try await account(email, in: realm)
        return try await ask(
            .recovery, for: email, account, visit, challenge,
            refusal: account == nil ? .unknown : nil)
    }

    /// POST /resend.
    @Sendable func resend(_ visit: Visit) async throws -> Response {
        let body = try SocotoBody(visit.request, as: "ResendConfirmationParams")
        let type = try body.text("type")
        let link: SocotoLink
        switch type {
        case "signup": link = .signup
        case "email_change": link = .emailChange
        case "sms", "phone_change":
            throw SocotoFailure(400, "phone_provider_disabled", "Phone logins are disabled")
        default:
            throw SocotoFailure.invalid(
                "Missing one of these types: signup, email_change, sms, phone_change")
        }
        let raw = try body.text("email")
        guard !raw.isEmpty else {
            throw SocotoFailure.invalid("Type provided requires an email address")
        }
        let challenge = try SocotoChallenge(body)
        let email = try SocotoAddress.read(raw)
        let realm = realm(visit)
        let account = try await account(email, in: realm)
        var refusal: MailRequest.Outcome?
        var address = email
        if let account {
            let pending = SocotoPerson(account).newEmail
            let isWaiting = link == .signup ? account.emailVerifiedAt == nil : pending != nil
            if !isWaiting { refusal = .needless }
            if link == .emailChange, let pending { address = pending }
        } else {
            refusal = .unknown
        }
        return try await ask(link, for: address, account, visit, challenge, refusal: refusal)
    }

    private static let nothing = Response.auth(.object([]))

    private func account(_ email: String, in realm: Realm) async throws -> Account? {
        try await premises.database.read { connection in
            try connection.account(email: email, in: realm)
        }
    }

    /// Known and unknown addresses cost the same: the letter is written and
    /// sealed, and one write is committed, either way.
    private func ask(
        _ link: SocotoLink, for address: String, _ account: Account?, _ visit: Visit,
        _ challenge: SocotoChallenge?, refusal: MailRequest.Outcome?
    ) async throws -> Response {
        let now = premises.now(in: realm(visit))
        let realm = realm(visit)
        let reader =
            account
            ?? Account(
                id: Opaque.uuid(premises.world), realm: realm, email: address, createdAt: now)
        let letter = try letter(link, to: address, account: reader, visit, challenge, at: now)
        if let refusal {
            try await premises.database.write { connection in
                try connection.note(
                    MailRequest(
                        realm: realm, email: address, purpose: link.purpose.rawValue,
                        outcome: refusal, requestedAt: now))
            }
            return Self.nothing
        }
        _ = try await send(letter, to: reader, challenge) { person in
            switch link {
            case .signup: person.confirmationSentAt = now
            case .recovery: person.recoverySentAt = now
            case .emailChange: person.emailChangeSentAt = now
            }
        }
        return Self.nothing
    }
}
