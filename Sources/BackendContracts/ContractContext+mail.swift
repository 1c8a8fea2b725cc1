import Backend
import Crypto
import SQLite

/// Mailed links and codes of all contracts.
extension ContractContext {
    /// Sends the mail with its link. With a `refusal` it records only that, so that known and
    /// unknown addresses take equally long: one write is committed in both cases.
    func send(_ mail: OutgoingMail, limit: MailLimit, refusal: MailRequest.Outcome? = nil)
        async throws
    {
        let sequence = try await database.write { [mailbox] connection -> Int64? in
            guard let refusal else {
                return try mail.send(from: mailbox, limit: limit, on: connection)
            }
            let draft = mail.sealedDraft.draft
            try connection.record(
                MailRequest(
                    realm: draft.realm, email: draft.to, purpose: draft.purpose, outcome: refusal,
                    requestedAt: draft.sentAt))
            return nil
        }
        mailbox.publishSent(mail.sealedDraft, at: sequence)
    }

    /// Sends the mail with its code, which replaces earlier ones for these purposes. False if the
    /// limit holds it back. Adds `account` first, unless its address is taken.
    func sendCode(
        _ mail: OutgoingMail, replacing purposes: [Challenge.Purpose] = [],
        limit: MailLimit = .unlimited, adding account: Account? = nil
    ) async throws -> Bool {
        let sequence = try await database.write { [mailbox] connection -> Int64? in
            if let account { _ = try connection.add(account) }
            let sequence = try mailbox.send(mail.sealedDraft, limit: limit, on: connection)
            guard sequence != nil else { return nil }
            let code = mail.challenge
            // Only the newest code works, even if the same digits were sent before.
            try connection.invalidateCodes(
                of: code.email, for: purposes, in: code.realm, at: code.createdAt)
            try connection.addCode(code)
            return sequence
        }
        mailbox.publishSent(mail.sealedDraft, at: sequence)
        return sequence != nil
    }

    /// A followed link: its state, and what it leads to.
    typealias FollowedLink = (state: LinkState, target: (challenge: Challenge, account: Account)?)

    /// The state of the link with this secret, without following it.
    func linkState(_ secret: String, for purpose: Challenge.Purpose, in realm: Realm) async throws
        -> LinkState
    {
        let now = now(in: realm)
        return try await database.read { connection in
            try connection.linkedAccount(Digest.sha256(secret), for: purpose, in: realm).map {
                LinkState($0.challenge, $0.account, at: now)
            } ?? .unknown
        }
    }

    /// Follows the link with this secret in one write: if its `state` is valid, marks it as used
    /// and runs `action`. A preview, as by a link scanner, does neither.
    func followLink(
        _ secret: String, for purpose: Challenge.Purpose, in realm: Realm, isPreview: Bool = false,
        state: @escaping @Sendable (Challenge, Account, Timestamp) -> LinkState = {
            LinkState($0, $1, at: $2)
        }, action: @escaping @Sendable (Account, Connection, Timestamp) throws -> Void
    ) async throws -> FollowedLink {
        let now = now(in: realm)
        let link = try await database.write { connection -> FollowedLink in
            let target = try connection.linkedAccount(
                Digest.sha256(secret), for: purpose, in: realm)
            guard let target else { return (.unknown, nil) }
            let state = state(target.challenge, target.account, now)
            guard state == .valid, !isPreview else { return (state, target) }
            try connection.markUsed(target.challenge, at: now)
            try action(target.account, connection, now)
            return (.completed, target)
        }
        if link.state == .completed, let target = link.target {
            mailbox.publishUsed(of: target.challenge)
        }
        return link
    }
}
