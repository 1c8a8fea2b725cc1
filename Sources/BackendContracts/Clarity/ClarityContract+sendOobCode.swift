import Backend
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
        let continueURL = try body.text("continueUrl", limit: 2_048)
        if let continueURL, !ClarityLink.canContinue(to: continueURL) {
            throw ClarityGoogleFailure.relativeContinueURI
        }
        let email: String
        switch ClarityLink(requestType: type) {
        case .reset:
            guard let address = try readEmailAddress(body) else {
                throw ClarityGoogleFailure.missingEmail
            }
            email = address.text
            try await sendResetLink(to: email, continueURL: continueURL, in: realm)
        case .verify:
            let account = try await authenticateBearer(try body.idToken(), in: realm).account
            email = account.email ?? ""
            try await sendVerificationLink(to: email, of: account, continueURL: continueURL)
        case nil:
            // Sign-in by link and changes of address are not enabled.
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
        try await services.send(
            try makeMail(
                .verify, to: email, account: account.id, continueURL: continueURL, in: realm),
            limit: .unlimited)
    }

    /// Known and unknown addresses take equally long and share the same limit.
    private func sendResetLink(to email: String, continueURL: String?, in realm: Realm) async throws
    {
        try await countMail(
            Self.resetMailLimit, to: email, for: .reset, in: realm,
            orThrow: ClarityGoogleFailure.tooManyResets)
        let account = try await services.account(email: email, in: realm)
        try await services.send(
            try makeMail(
                .reset, to: email, account: account?.id, continueURL: continueURL, in: realm),
            limit: .unlimited, refusal: account == nil ? .unknown : nil)
        if account == nil, !isOn(Self.emailPrivacy, realm) {
            throw ClarityGoogleFailure.emailNotFound
        }
    }

    /// Counts one more mail. If it exceeds the limit, records when the next is allowed and throws.
    func countMail(
        _ limit: RateLimit, to email: String, for purpose: Challenge.Purpose, in realm: Realm,
        orThrow error: any Error
    ) async throws {
        let now = services.now(in: realm)
        guard let nextAllowedAt = services.rateLimits.consume(limit, of: email, in: realm, at: now)
        else {
            return
        }
        try await services.database.write { connection in
            try connection.record(
                MailRequest(
                    realm: realm, email: email, purpose: purpose.mailPurpose, outcome: .limited,
                    nextAllowedAt: nextAllowedAt, requestedAt: now))
        }
        throw error
    }
}
