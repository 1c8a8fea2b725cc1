import Backend
import SQLite
import Web

/// Requests for mails. The response is the same whether or not the address has an account.
extension SocotoContract {
    /// POST /recover.
    @Sendable func recover(_ context: RequestContext) async throws -> Response {
        let body = try SocotoAuthBody(context.request, as: "RecoverParams")
        let raw = try body.text("email")
        guard !raw.isEmpty else {
            throw SocotoAuthFailure.invalid("Password recovery requires an email")
        }
        let challenge = try SocotoPKCEChallenge(body)
        let email = try SocotoEmailAddress.parse(raw)
        let realm = realm(context)
        let account = try await services.account(email: email, in: realm)
        return try await requestMail(
            .recovery, for: email, account, context, challenge,
            refusal: account == nil ? .unknown : nil)
    }

    /// POST /resend.
    @Sendable func resend(_ context: RequestContext) async throws -> Response {
        let body = try SocotoAuthBody(context.request, as: "ResendConfirmationParams")
        let type = try body.text("type")
        let link: SocotoLink
        switch type {
        case "signup": link = .signup
        case "email_change": link = .emailChange
        case "sms", "phone_change":

            throw SocotoAuthFailure(
                400, "phone_provider_disabled", "Phone logins are disabled", [.featureEnabled])
        default:
            throw SocotoAuthFailure.invalid(
                "Missing one of these types: signup, email_change, sms, phone_change")
        }
        let raw = try body.text("email")
        guard !raw.isEmpty else {
            throw SocotoAuthFailure.invalid("Type provided requires an email address")
        }
        let challenge = try SocotoPKCEChallenge(body)
        let email = try SocotoEmailAddress.parse(raw)
        let realm = realm(context)
        let account = try await services.account(email: email, in: realm)
        var refusal: MailRequest.Outcome?
        var address = email
        if let account {
            let pending = SocotoUser(account).newEmail
            let isWaiting = link == .signup ? account.emailVerifiedAt == nil : pending != nil
            if !isWaiting { refusal = .alreadyVerified }
            if link == .emailChange, let pending { address = pending }
        } else {
            refusal = .unknown
        }
        return try await requestMail(
            link, for: address, account, context, challenge, refusal: refusal)
    }

    private static let emptyResponse = Response.authJSON(.object([]))

    /// Known and unknown addresses take equally long: the mail is made and sealed, and one write is
    /// committed, in both cases.
    private func requestMail(
        _ link: SocotoLink, for address: String, _ account: Account?, _ context: RequestContext,
        _ challenge: SocotoPKCEChallenge?, refusal: MailRequest.Outcome?
    ) async throws -> Response {
        let now = services.now(in: realm(context))
        let realm = realm(context)
        let recipient =
            account
            ?? Account(
                id: RandomTokens.uuid(services.world), realm: realm, email: address, createdAt: now)
        let mail = try makeMail(link, to: address, account: recipient, context, challenge, at: now)
        if let refusal {
            try await services.send(mail, limit: .unlimited, refusal: refusal)
            return Self.emptyResponse
        }
        _ = try await sendAndRecord(mail, to: recipient, challenge) { user in
            switch link {
            case .signup: user.confirmationSentAt = now
            case .recovery: user.recoverySentAt = now
            case .emailChange: user.emailChangeSentAt = now
            }
        }
        return Self.emptyResponse
    }
}
