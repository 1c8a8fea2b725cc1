import SQLite
import Secrets
import Web

/// What a mail's code or link does, however it comes back.
extension SocotoContract {
    /// POST /verify: the code with its address, or the link's secret.
    @Sendable func verify(_ visit: Visit) async throws -> Response {
        try count(visit, Self.verifyRequests)
        let body = try SocotoBody(visit.request, as: "VerifyParams")
        let type = try body.text("type")
        let token = try body.text("token")
        let hash = try body.text("token_hash")
        guard !type.isEmpty else {
            throw SocotoFailure.invalid("Verify requires a verification type")
        }
        guard token.isEmpty != hash.isEmpty else {
            throw SocotoFailure.invalid("Verify requires either a token or a token hash")
        }
        let link = try Self.link(type)
        let raw = try body.text("email")
        let realm = realm(visit)
        let grant: Grant?
        if token.isEmpty {
            guard raw.isEmpty, !body.has("phone"), !body.has("redirect_to") else {
                throw SocotoFailure.invalid("Only the token_hash and type should be provided")
            }
            grant = try await redeem(hash, link, in: realm)
            guard grant != nil else { throw SocotoFailure.linkExpired }
        } else {
            guard !raw.isEmpty else {
                throw SocotoFailure.invalid(
                    "Only an email address or phone number should be provided on verify")
            }
            let email = try SocotoAddress.read(raw)
            grant = try await redeem(code: token, of: email, link, in: realm)
        }
        guard let grant else { throw SocotoFailure.codeExpired }
        return .auth(try session(grant))
    }

    /// The link of a `type`, nil if no mail of ours has it.
    static func link(_ type: String) throws(SocotoFailure) -> SocotoLink? {
        let link = SocotoLink(type: type)
        guard link != nil || SocotoLink.unsent.contains(type) else {
            throw .invalid("Invalid email verification type")
        }
        return link
    }

    /// Uses a link's secret up; nil unless it still works.
    func redeem(_ token: String, _ link: SocotoLink?, in realm: Realm) async throws -> Grant? {
        guard let link else { return nil }
        let now = premises.now(in: realm)
        let done = try await premises.database.write { connection -> (Grant, Challenge)? in
            guard
                let challenge = try Self.challenge(
                    of: token, for: link.purpose, in: realm, on: connection),
                let (account, person) = try apply(challenge, on: connection, at: now)
            else { return nil }
            let grant = try open(account, person, by: .otp, on: connection, at: now)
            return (grant, challenge)
        }
        if let done { premises.mailbox.announceUse(of: done.1) }
        return done?.0
    }

    /// Uses a code up; a wrong one is counted.
    private func redeem(code: String, of email: String, _ link: SocotoLink?, in realm: Realm)
        async throws -> Grant?
    {
        guard let link else { return nil }
        let now = premises.now(in: realm)
        let ticket = Ticket.current
        let done = try await premises.database.write { connection -> (Grant, Challenge)? in
            guard
                let challenge = try connection.newestChallenge(
                    to: email, for: link.purpose, in: realm),
                challenge.attempts < SocotoLink.guesses
            else { return nil }
            let secret = try secret(of: challenge.mail ?? "", to: email, code)
            guard Digest.constantTimeEquals(Digest.sha256(secret), challenge.digest) else {
                try connection.noteGuess(at: challenge)
                return nil
            }
            guard ticket?.befalls(.codeExpired) != true,
                let (account, person) = try apply(challenge, on: connection, at: now)
            else { return nil }
            let grant = try open(account, person, by: .otp, on: connection, at: now)
            return (grant, challenge)
        }
        if let done { premises.mailbox.announceUse(of: done.1) }
        return done?.0
    }

    /// Uses `challenge` up and does what it is for, inside a write; nil if
    /// it does not work any more.
    func apply(_ challenge: Challenge, on connection: Connection, at now: Moment) throws -> (
        Account, SocotoPerson
    )? {
        guard challenge.state(at: now) == .fresh, let id = challenge.account,
            let account = try connection.account(id, in: challenge.realm), !isBanned(account)
        else { return nil }
        guard challenge.purpose == .emailChange else {
            // What was mailed to an address it had before opens nothing.
            guard challenge.email == account.email else { return nil }
            try connection.use(challenge, at: now)
            return try confirm(account, on: connection, at: now)
        }
        var changed = account
        var person = SocotoPerson(account)
        // The address may be somebody's since, or another one be wanted.
        guard person.newEmail == challenge.email,
            try connection.account(email: challenge.email, in: challenge.realm) == nil
        else { return nil }
        try connection.use(challenge, at: now)
        try connection.setEmail(of: id, to: challenge.email, at: now)
        changed.email = challenge.email
        changed.emailVerifiedAt = now
        person.newEmail = nil
        person.emailChangeSentAt = nil
        person.updatedAt = now
        try connection.save(person, of: changed)
        return (changed, person)
    }

    /// The challenge of a link's token, which has the mark before its secret
    /// if its follower must show another secret, and only then: without the
    /// mark a flow's link would sign in whoever reads the mail.
    static func challenge(
        of token: String, for purpose: Challenge.Purpose, in realm: Realm, on connection: Connection
    ) throws -> Challenge? {
        let isMarked = token.hasPrefix(flowMark)
        let digest = Digest.sha256(isMarked ? String(token.dropFirst(flowMark.count)) : token)
        guard try isMarked == (connection.flow(link: digest) != nil) else { return nil }
        return try connection.challenge(digest, for: purpose, in: realm)
    }
}
