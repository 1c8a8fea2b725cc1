import Crypto
import SQLite
import Web

/// What a mail's code or link does, however it comes back.
extension SocotoContract {
    /// POST /verify: the code with its address, or the link's secret.
    @Sendable func verify(_ context: RequestContext) async throws -> Response {
        try checkRateLimit(context, Self.verifyRequestLimit)
        let body = try SocotoAuthBody(context.request, as: "VerifyParams")
        let type = try body.text("type")
        let token = try body.text("token")
        let hash = try body.text("token_hash")
        guard !type.isEmpty else {
            throw SocotoAuthFailure.invalid("Verify requires a verification type")
        }
        guard token.isEmpty != hash.isEmpty else {
            throw SocotoAuthFailure.invalid("Verify requires either a token or a token hash")
        }
        let link = try Self.parseLinkType(type)
        let raw = try body.text("email")
        let realm = realm(context)
        let grant: SignIn?
        if token.isEmpty {
            guard raw.isEmpty, !body.has("phone"), !body.has("redirect_to") else {
                throw SocotoAuthFailure.invalid("Only the token_hash and type should be provided")
            }
            grant = try await redeem(hash, link, in: realm)
            guard grant != nil else { throw SocotoAuthFailure.linkExpired }
        } else {
            guard !raw.isEmpty else {
                throw SocotoAuthFailure.invalid(
                    "Only an email address or phone number should be provided on verify")
            }
            let email = try SocotoEmailAddress.parse(raw)
            grant = try await redeem(code: token, of: email, link, in: realm)
        }
        guard let grant else { throw SocotoAuthFailure.codeExpired }
        return .authJSON(try sessionJSON(grant))
    }

    /// The link of a `type`, nil if no mail of ours has it.
    static func parseLinkType(_ type: String) throws(SocotoAuthFailure) -> SocotoLink? {
        let link = SocotoLink(type: type)
        guard link != nil || SocotoLink.unsentTypes.contains(type) else {
            throw .invalid("Invalid email verification type")
        }
        return link
    }

    /// Uses a link's secret up; nil unless it still works.
    func redeem(_ token: String, _ link: SocotoLink?, in realm: Realm) async throws -> SignIn? {
        guard let link else { return nil }
        let now = services.now(in: realm)
        let done = try await services.database.write { connection -> (SignIn, Challenge)? in
            guard
                let challenge = try Self.findChallenge(
                    token: token, for: link.purpose, in: realm, on: connection),
                let (account, person) = try apply(challenge, on: connection, at: now)
            else { return nil }
            let grant = try signIn(account, person, by: .otp, on: connection, at: now)
            return (grant, challenge)
        }
        if let done { services.mailbox.publishUsed(of: done.1) }
        return done?.0
    }

    /// Uses a code up; a wrong one is counted.
    private func redeem(code: String, of email: String, _ link: SocotoLink?, in realm: Realm)
        async throws -> SignIn?
    {
        guard let link else { return nil }
        let now = services.now(in: realm)
        let ticket = FaultTicket.current
        let done = try await services.database.write { connection -> (SignIn, Challenge)? in
            guard
                let challenge = try connection.newestChallenge(
                    to: email, for: link.purpose, in: realm),
                challenge.failedAttempts < SocotoLink.maxAttempts
            else { return nil }
            let secret = try linkSecret(of: challenge.mailID ?? "", to: email, code)
            guard Digest.constantTimeEquals(Digest.sha256(secret), challenge.digest) else {
                try connection.recordFailedAttempt(at: challenge)
                return nil
            }
            guard ticket?.triggers(.codeExpired) != true,
                let (account, person) = try apply(challenge, on: connection, at: now)
            else { return nil }
            let grant = try signIn(account, person, by: .otp, on: connection, at: now)
            return (grant, challenge)
        }
        if let done { services.mailbox.publishUsed(of: done.1) }
        return done?.0
    }

    /// Uses `challenge` up and does what it is for, inside a write; nil if
    /// it does not work any more.
    func apply(_ challenge: Challenge, on connection: Connection, at now: Timestamp) throws -> (
        Account, SocotoUser
    )? {
        guard challenge.state(at: now) == .valid, let id = challenge.accountID,
            let account = try connection.account(id, in: challenge.realm), !isBanned(account)
        else { return nil }
        guard challenge.purpose == .emailChange else {
            // What was mailed to an address it had before opens nothing.
            guard challenge.email == account.email else { return nil }
            try connection.markUsed(challenge, at: now)
            return try confirm(account, on: connection, at: now)
        }
        var changed = account
        var person = SocotoUser(account)
        // The address may be somebody's since, or another one be wanted.
        guard person.newEmail == challenge.email,
            try connection.account(email: challenge.email, in: challenge.realm) == nil
        else { return nil }
        try connection.markUsed(challenge, at: now)
        try connection.setVerifiedEmail(of: id, to: challenge.email, at: now)
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
    static func findChallenge(
        token: String, for purpose: Challenge.Purpose, in realm: Realm,
        on connection: Connection
    ) throws -> Challenge? {
        let isMarked = token.hasPrefix(pkceTokenPrefix)
        let digest = Digest.sha256(
            isMarked ? String(token.dropFirst(pkceTokenPrefix.count)) : token)
        guard try isMarked == (connection.pkceFlow(link: digest) != nil) else { return nil }
        return try connection.challenge(digest, for: purpose, in: realm)
    }
}
