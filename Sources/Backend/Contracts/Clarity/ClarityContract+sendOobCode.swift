import Crypto
import SQLite
import Web

extension ClarityContract {
    /// `accounts:sendOobCode`: mails a link.
    @Sendable func sendOobCode(_ context: RequestContext) async throws -> Response {
        let realm = try authorizeRequest(context)
        let body = try ClarityGoogleBody(context.request)
        let type = try body.text("requestType")
        guard let type, type != "OOB_REQ_TYPE_UNSPECIFIED", type != "0" else {
            throw ClarityGoogleFailure.missingRequestType
        }
        guard !body.flag("returnOobLink") else { throw ClarityGoogleFailure.insufficientPermission }
        let next = try body.text("continueUrl", limit: 2_048)
        if let next, !ClarityLink.canContinue(to: next) {
            throw ClarityGoogleFailure.relativeContinueURI
        }
        let email: String
        switch ClarityLink(requestType: type) {
        case .reset:
            guard let address = try readEmailAddress(body) else {
                throw ClarityGoogleFailure.missingEmail
            }
            email = address.text
            try await sendResetLink(to: email, continueURL: next, in: realm)
        case .verify:
            let account = try await authenticateBearer(try body.idToken(), in: realm).account
            email = account.email ?? ""
            try await sendVerificationLink(to: email, of: account, continueURL: next)
        case nil:
            // E-mail links and changes of address are not turned on.
            throw ClarityGoogleFailure.operationNotAllowed
        }
        return .json([
            "kind": "identitytoolkit#GetOobConfirmationCodeResponse", "email": .string(email),
        ])
    }

    private func sendVerificationLink(to email: String, of account: Account, continueURL: String?)
        async throws
    {
        let realm = account.realm
        try await countMail(
            Self.verificationMailLimit, to: email, for: .verify, in: realm,
            orThrow: ClarityGoogleFailure.tooManyMails)
        try await sendMail(
            try makeMail(
                .verify, to: email, account: account.id, continueURL: continueURL, in: realm),
            to: account)
    }

    /// Known and unknown addresses cost the same, and meet the same limit.
    private func sendResetLink(to email: String, continueURL: String?, in realm: Realm) async throws
    {
        try await countMail(
            Self.resetMailLimit, to: email, for: .reset, in: realm,
            orThrow: ClarityGoogleFailure.tooManyResets)
        let account = try await services.database.read { connection in
            try connection.account(email: email, in: realm)
        }
        try await sendMail(
            try makeMail(
                .reset, to: email, account: account?.id, continueURL: continueURL, in: realm),
            to: account)
        if account == nil, !isOn(Self.emailPrivacy, realm) {
            throw ClarityGoogleFailure.emailNotFound
        }
    }

    /// Counts one more mail, or refuses it and notes until when.
    func countMail(
        _ limit: RateLimit, to email: String, for purpose: Challenge.Purpose, in realm: Realm,
        orThrow refusal: any Error
    ) async throws {
        let now = services.now(in: realm)
        guard let end = services.rateLimits.consume(limit, of: email, in: realm, at: now) else {
            return
        }
        try await services.database.write { connection in
            try connection.record(
                MailRequest(
                    realm: realm, email: email, purpose: purpose.mailPurpose, outcome: .limited,
                    nextAllowedAt: end, requestedAt: now))
        }
        throw refusal
    }

    /// Sends `letter` if there is somebody to read it.
    func sendMail(_ mail: OutgoingMail, to account: Account?) async throws {
        let place = try await services.database.write { [services] connection -> Int64? in
            guard account != nil else {
                let draft = mail.sealedDraft.draft
                try connection.record(
                    MailRequest(
                        realm: draft.realm, email: draft.to, purpose: draft.purpose,
                        outcome: .unknown, requestedAt: draft.sentAt))
                return nil
            }
            return try mail.send(from: services.mailbox, limit: .unlimited, on: connection)
        }
        services.mailbox.publishSent(mail.sealedDraft, at: place)
    }
}
