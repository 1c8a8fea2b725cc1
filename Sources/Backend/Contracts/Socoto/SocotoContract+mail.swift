import Core
import Crypto
import SQLite
import Web

extension SocotoContract {
    func redirectPolicy(_ realm: Realm) -> SocotoRedirectPolicy {
        SocotoRedirectPolicy(siteURL: services.baseURL(of: realm) + "/site")
    }

    /// A mail with a link and a code, which are two faces of one challenge:
    /// the link's secret is derived from the code, so neither is kept.
    func makeMail(
        _ link: SocotoLink, to address: String, account: Account, _ context: RequestContext,
        _ challenge: SocotoPKCEChallenge?, at now: Timestamp
    ) throws -> OutgoingMail {
        let realm = account.realm
        let id = services.world.makeID("mail")
        let code = codes.makeCode()
        let secret = try linkSecret(of: id, to: address, code)
        let token = challenge == nil ? secret : Self.pkceTokenPrefix + secret
        let place = redirectPolicy(realm).redirectURL(context)
        // As the real server: only what would break the link is escaped.
        let escaped = place.contains { "&=#".contains($0) } ? PercentEncoding.encode(place) : place
        let href =
            "\(issuer(of: realm))/verify?token=\(token)"
            + "&type=\(link.rawValue)&redirect_to=\(escaped)"
        let draft = link.makeMailTemplate(link: href, code: code).makeDraft(
            to: address, purpose: link.purpose, lifetime: SocotoLink.lifetime, in: realm, id: id,
            at: now)
        return OutgoingMail(
            sealedDraft: try services.mailbox.seal(draft),
            challenge: Challenge(
                digest: Digest.sha256(secret), accountID: account.id, realm: realm,
                purpose: link.purpose, email: address, mailID: id, createdAt: now,
                expiresAt: now + SocotoLink.lifetime))
    }

    /// What stands before the secret of a link whose follower must show
    /// another one.
    static let pkceTokenPrefix = "pkce_"

    /// The secret in the link of a mail: as long as the real server's, and
    /// only to be made with the key of codes.
    func linkSecret(of mail: String, to address: String, _ code: String) throws -> String {
        let text = "\(mail) \(address) \(code)"
        return String(try accessTokens.keyring.digest(text).prefix(56))
    }

    private func mailLimit(_ realm: Realm) -> MailLimit {
        MailLimit(count: 1, window: .seconds(isOn(Self.limitsMailToOnePerMinute, realm) ? 60 : 1))
    }

    /// Sends inside a write; gives no place where the limit holds it back.
    func sendMail(
        _ mail: OutgoingMail, _ challenge: SocotoPKCEChallenge?, on connection: Connection
    ) throws
        -> Int64?
    {
        let given = mail.challenge
        let place = try mail.send(
            from: services.mailbox, limit: mailLimit(given.realm), on: connection)
        if place != nil, let challenge, let account = given.accountID {
            try connection.add(
                PKCEFlow(
                    linkDigest: given.digest, accountID: account, codeChallenge: challenge.value,
                    codeChallengeMethod: challenge.method.rawValue))
        }
        return place
    }

    /// Whether the limit would let it go out, asked inside a write.
    func isWithinMailLimit(_ mail: OutgoingMail, on connection: Connection) throws -> Bool {
        let draft = mail.sealedDraft.draft
        let freeAt = try connection.mailLimitEnd(
            for: draft.to, draft.purpose, in: draft.realm, mailLimit(draft.realm), at: draft.sentAt)
        return freeAt.map { $0 <= draft.sentAt } ?? true
    }

    /// Tells of a mail that went out; of one that did not, when it may.
    func announce(_ mail: OutgoingMail, at place: Int64?) async throws {
        guard place == nil else { return services.mailbox.publishSent(mail.sealedDraft, at: place) }
        let draft = mail.sealedDraft.draft
        let limit = mailLimit(draft.realm)
        let now = services.now(in: draft.realm)
        let freeAt = try await services.database.read { connection in
            try connection.mailLimitEnd(
                for: draft.to, draft.purpose, in: draft.realm, limit, at: now)
        }
        let rest = (freeAt ?? draft.sentAt).milliseconds - now.milliseconds
        throw SocotoAuthFailure.mailRateLimited(seconds: max(1, (rest + 999) / 1_000))
    }

    /// Sends, and keeps what `mark` says of the person.
    func sendAndRecord(
        _ mail: OutgoingMail, to account: Account, _ challenge: SocotoPKCEChallenge?,
        update: @escaping @Sendable (inout SocotoUser) -> Void
    ) async throws -> SocotoUser {
        let (person, place) = try await services.database.write {
            connection -> (SocotoUser, Int64?) in
            // What was read before may have changed since.
            let current = try connection.account(account.id, in: account.realm)
            var person = SocotoUser(current ?? account)
            let place = try sendMail(mail, challenge, on: connection)
            if place != nil {
                update(&person)
                try connection.save(person, of: account)
            }
            return (person, place)
        }
        try await announce(mail, at: place)
        return person
    }
}
