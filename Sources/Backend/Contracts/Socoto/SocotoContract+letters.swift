import SQLite
import Secrets
import Surroundings
import Web

extension SocotoContract {
    func redirect(_ realm: Realm) -> SocotoRedirect {
        SocotoRedirect(site: premises.base(of: realm) + "/site")
    }

    /// A mail with a link and a code, which are two faces of one challenge:
    /// the link's secret is derived from the code, so neither is kept.
    func letter(
        _ link: SocotoLink, to address: String, account: Account, _ visit: Visit,
        _ challenge: SocotoChallenge?, at now: Moment
    ) throws -> Letter {
        let realm = account.realm
        let id = premises.world.identifier("mail")
        let code = codes.make()
        let secret = try secret(of: id, to: address, code)
        let token = challenge == nil ? secret : Self.flowMark + secret
        let place = redirect(realm).place(visit)
        // As the real server: only what would break the link is escaped.
        let escaped = place.contains { "&=#".contains($0) } ? PercentEncoding.encode(place) : place
        let href =
            "\(issuer(of: realm))/verify?token=\(token)"
            + "&type=\(link.rawValue)&redirect_to=\(escaped)"
        let draft = link.words(link: href, code: code).draft(
            to: address, purpose: link.purpose, life: SocotoLink.life, in: realm, id: id, at: now)
        return Letter(
            envelope: try premises.mailbox.seal(draft),
            challenge: Challenge(
                digest: Digest.sha256(secret), account: account.id, realm: realm,
                purpose: link.purpose, email: address, mail: id, createdAt: now,
                expiresAt: now + SocotoLink.life))
    }

    /// What stands before the secret of a link whose follower must show
    /// another one.
    static let flowMark = "pkce_"

    /// The secret in the link of a mail: as long as the real server's, and
    /// only to be made with the key of codes.
    func secret(of mail: String, to address: String, _ code: String) throws -> String {
        let text = "\(mail) \(address) \(code)"
        return String(try tokens.keyring.digest(text).prefix(56))
    }

    private func limit(_ realm: Realm) -> MailLimit {
        MailLimit(count: 1, window: .seconds(isOn(Self.mailEveryMinute, realm) ? 60 : 1))
    }

    /// Sends inside a write; gives no place where the limit holds it back.
    func post(_ letter: Letter, _ challenge: SocotoChallenge?, on connection: Connection) throws
        -> Int64?
    {
        let given = letter.challenge
        let place = try letter.post(
            from: premises.mailbox, limit: limit(given.realm), on: connection)
        if place != nil, let challenge, let account = given.account {
            try connection.add(
                Flow(
                    link: given.digest, account: account, challenge: challenge.text,
                    method: challenge.method.rawValue))
        }
        return place
    }

    /// Whether the limit would let it go out, asked inside a write.
    func isFree(_ letter: Letter, on connection: Connection) throws -> Bool {
        let draft = letter.envelope.draft
        let freeAt = try connection.limitEnds(
            for: draft.to, draft.purpose, in: draft.realm, limit(draft.realm), at: draft.sentAt)
        return freeAt.map { $0 <= draft.sentAt } ?? true
    }

    /// Tells of a mail that went out; of one that did not, when it may.
    func announce(_ letter: Letter, at place: Int64?) async throws {
        guard place == nil else { return premises.mailbox.announce(letter.envelope, at: place) }
        let draft = letter.envelope.draft
        let limit = limit(draft.realm)
        let now = premises.now(in: draft.realm)
        let freeAt = try await premises.database.read { connection in
            try connection.limitEnds(for: draft.to, draft.purpose, in: draft.realm, limit, at: now)
        }
        let rest = (freeAt ?? draft.sentAt).milliseconds - now.milliseconds
        throw SocotoFailure.tooSoon(seconds: max(1, (rest + 999) / 1_000))
    }

    /// Sends, and keeps what `mark` says of the person.
    func send(
        _ letter: Letter, to account: Account, _ challenge: SocotoChallenge?,
        mark: @escaping @Sendable (inout SocotoPerson) -> Void
    ) async throws -> SocotoPerson {
        let (person, place) = try await premises.database.write {
            connection -> (SocotoPerson, Int64?) in
            // What was read before may have changed since.
            let current = try connection.account(account.id, in: account.realm)
            var person = SocotoPerson(current ?? account)
            let place = try post(letter, challenge, on: connection)
            if place != nil {
                mark(&person)
                try connection.save(person, of: account)
            }
            return (person, place)
        }
        try await announce(letter, at: place)
        return person
    }
}
