import Backend
import Core
import Crypto
import SQLite
import Web

/// Redeems mailed codes and links.
extension SocotoContract {
    /// POST /verify, with the code and its address, or with the link's secret.
    func verify(_ context: RequestContext) async throws -> Response {
        try checkRateLimit(context, Self.verifyRequestLimit)
        let body = try GoTrueBody(context.request, as: "VerifyParams")
        let type = try body.text("type")
        let token = try body.text("token")
        let hash = try body.text("token_hash")
        guard !type.isEmpty else {
            throw GoTrueFailure.invalid("Verify requires a verification type")
        }
        guard token.isEmpty != hash.isEmpty else {
            throw GoTrueFailure.invalid("Verify requires either a token or a token hash")
        }
        let link = try Self.parseLinkType(type)
        let raw = try body.text("email")
        let grant: SignIn?
        if token.isEmpty {
            guard raw.isEmpty, !body.has("phone"), !body.has("redirect_to") else {
                throw GoTrueFailure.invalid("Only the token_hash and type should be provided")
            }
            grant = try await redeem(hash, link)
            guard grant != nil else { throw GoTrueFailure.linkExpired }
        } else {
            guard !raw.isEmpty else {
                throw GoTrueFailure.invalid(
                    "Only an email address or phone number should be provided on verify")
            }
            let email = try GoTrueEmailAddress.parse(raw)
            grant = try await redeem(code: token, of: email, link)
        }
        guard let grant else { throw GoTrueFailure.codeExpired }
        return .plainJSON(try sessionJSON(grant))
    }

    /// The link of a `type`. Nil if no mail has it.
    static func parseLinkType(_ type: String) throws(GoTrueFailure) -> SocotoLink? {
        let link = SocotoLink(type: type)
        guard link != nil || SocotoLink.unsentTypes.contains(type) else {
            throw .invalid("Invalid email verification type")
        }
        return link
    }

    /// Redeems a link's secret. Nil if the link does not work.
    func redeem(_ token: String, _ link: SocotoLink?) async throws -> SignIn? {
        guard let link else { return nil }
        return try await redeem() { connection in
            try findChallenge(token: token, for: link.purpose, on: connection)
        }
    }

    /// Redeems a code. A wrong one is counted.
    private func redeem(code: String, of email: String, _ link: SocotoLink?) async throws -> SignIn?
    {
        guard let link else { return nil }
        let ticket = FaultTicket.current
        return try await redeem() { connection in
            guard
                let challenge = try connection.newestChallenge(
                    to: email, for: link.purpose, in: realm),
                challenge.failedAttempts < SocotoLink.maxAttempts
            else { return nil }
            let secret = try linkSecret(of: challenge.mailID ?? "", to: email, code)
            guard ConstantTime.areEqual(Digest.sha256(secret), challenge.digest) else {
                try connection.recordFailedAttempt(at: challenge)
                return nil
            }
            return ticket?.triggers(.codeExpired) == true ? nil : challenge
        }
    }

    /// Signs in with the challenge that `find` returns inside the write.
    private func redeem(find: @escaping @Sendable (Connection) throws -> Challenge?) async throws
        -> SignIn?
    {
        let redeemed = try await write { connection, now -> (SignIn, Challenge)? in
            guard let challenge = try find(connection),
                let (account, user) = try apply(challenge, on: connection, at: now)
            else { return nil }
            let grant = try signIn(account, user, by: .otp, on: connection, at: now)
            return (grant, challenge)
        }
        if let redeemed { services.mailbox.publishUsed(of: redeemed.1) }
        return redeemed?.0
    }

    /// Marks `challenge` as used and applies its purpose, inside a write. Nil if it does not work
    /// any more.
    func apply(_ challenge: Challenge, on connection: Connection, at now: Timestamp) throws -> (
        Account, SocotoUser
    )? {
        guard challenge.state(at: now) == .valid, let id = challenge.accountID,
            let account = try connection.account(id, in: realm), !isBanned(account)
        else { return nil }
        guard challenge.purpose == .emailChange else {
            // A challenge mailed to a former address does not work.
            guard challenge.email == account.email else { return nil }
            try connection.markUsed(challenge, at: now)
            return try Self.confirm(account, on: connection, at: now)
        }
        var changed = account
        var user = SocotoUser(account)
        // The address may be taken by now, or another change may have been requested.
        guard user.newEmail == challenge.email,
            try connection.account(email: challenge.email, in: realm) == nil
        else { return nil }
        try connection.markUsed(challenge, at: now)
        try connection.setEmail(of: id, to: challenge.email, verifiedAt: now)
        changed.email = challenge.email
        changed.emailVerifiedAt = now
        user.newEmail = nil
        user.emailChangeSentAt = nil
        user.updatedAt = now
        user.emailIdentityID = user.emailIdentityID ?? RandomTokens.uuid(services.world)
        try connection.save(user, of: changed)
        return (changed, user)
    }

    /// The challenge of a link's token.
    ///
    /// The token must have the PKCE prefix exactly if the link belongs to a PKCE flow. Otherwise
    /// any reader of the mail could drop the prefix and sign in without the verifier.
    func findChallenge(token: String, for purpose: Challenge.Purpose, on connection: Connection)
        throws -> Challenge?
    {
        let isPKCE = token.hasPrefix(Self.pkceTokenPrefix)
        let digest = Digest.sha256(
            isPKCE ? String(token.dropFirst(Self.pkceTokenPrefix.count)) : token)
        guard try isPKCE == (connection.pkceFlow(link: digest) != nil) else { return nil }
        return try connection.challenge(digest, for: purpose, in: realm)
    }
}
