import SQLite
import Secrets
import Web

extension ClarityContract {
    /// `accounts:sendOobCode`: mails a link.
    @Sendable func sendCode(_ visit: Visit) async throws -> Response {
        let realm = try admit(visit)
        let body = try ClarityBody(visit.request)
        let type = try body.text("requestType")
        guard let type, type != "OOB_REQ_TYPE_UNSPECIFIED", type != "0" else {
            throw ClarityFailure.missingRequestType
        }
        guard !body.flag("returnOobLink") else { throw ClarityFailure.insufficientPermission }
        let next = try body.text("continueUrl", limit: 2_048)
        if let next, !ClarityLink.canContinue(to: next) { throw ClarityFailure.relativeContinueURI }
        let email: String
        switch ClarityLink(requestType: type) {
        case .reset:
            guard let address = try address(body) else { throw ClarityFailure.missingEmail }
            email = address.text
            try await sendReset(to: email, continueURL: next, in: realm)
        case .verify:
            let account = try await bearer(try body.idToken(), in: realm).account
            email = account.email ?? ""
            try await sendVerification(to: email, of: account, continueURL: next)
        case nil:
            // E-mail links and changes of address are not turned on.
            throw ClarityFailure.signUpOff
        }
        return .json([
            "kind": "identitytoolkit#GetOobConfirmationCodeResponse", "email": .string(email),
        ])
    }

    private func sendVerification(to email: String, of account: Account, continueURL: String?)
        async throws
    {
        let realm = account.realm
        try await take(
            Self.verifyMails, to: email, for: .verify, in: realm, or: ClarityFailure.tooManyMails)
        try await post(
            try letter(
                .verify, to: email, account: account.id, continueURL: continueURL, in: realm),
            to: account)
    }

    /// Known and unknown addresses cost the same, and meet the same limit.
    private func sendReset(to email: String, continueURL: String?, in realm: Realm) async throws {
        try await take(
            Self.resetMails, to: email, for: .reset, in: realm, or: ClarityFailure.tooManyResets)
        let account = try await premises.database.read { connection in
            try connection.account(email: email, in: realm)
        }
        try await post(
            try letter(
                .reset, to: email, account: account?.id, continueURL: continueURL, in: realm),
            to: account)
        if account == nil, !isOn(Self.emailPrivacy, realm) { throw ClarityFailure.emailNotFound }
    }

    /// Counts one more mail, or refuses it and notes until when.
    func take(
        _ limit: RateLimit, to email: String, for purpose: Challenge.Purpose, in realm: Realm,
        or refusal: any Error
    ) async throws {
        let now = premises.now(in: realm)
        guard let end = premises.limits.take(limit, of: email, in: realm, at: now) else { return }
        try await premises.database.write { connection in
            try connection.note(
                MailRequest(
                    realm: realm, email: email, purpose: purpose.word, outcome: .limited,
                    freeAt: end, requestedAt: now))
        }
        throw refusal
    }

    /// Sends `letter` if there is somebody to read it.
    func post(_ letter: Letter, to account: Account?) async throws {
        let place = try await premises.database.write { [premises] connection -> Int64? in
            guard account != nil else {
                let draft = letter.envelope.draft
                try connection.note(
                    MailRequest(
                        realm: draft.realm, email: draft.to, purpose: draft.purpose,
                        outcome: .unknown, requestedAt: draft.sentAt))
                return nil
            }
            return try letter.post(from: premises.mailbox, limit: .none, on: connection)
        }
        premises.mailbox.announce(letter.envelope, at: place)
    }
}
