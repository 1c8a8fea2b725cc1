import Core
import SQLite

extension ContractContext {
    /// A mail written from a template, with a challenge that is found by `digest` and valid for
    /// `lifetime`.
    func makeMail(
        _ template: MailTemplate, digest: String, purpose: Challenge.Purpose, lifetime: Duration,
        to address: String, account: String?, in realm: Realm
    ) throws -> OutgoingMail {
        let now = now(in: realm)
        let id = world.makeID("mail")
        let draft = template.makeDraft(
            to: address, purpose: purpose, lifetime: lifetime, in: realm, id: id, at: now)
        return OutgoingMail(
            sealedDraft: try mailbox.seal(draft),
            challenge: Challenge(
                digest: digest, accountID: account, realm: realm, purpose: purpose, email: address,
                mailID: id, createdAt: now, expiresAt: now + lifetime))
    }
}

/// A mail with the challenge of its link or code.
struct OutgoingMail: Sendable {
    let sealedDraft: Mailbox.SealedDraft
    let challenge: Challenge

    /// Sends the mail inside a write and adds its challenge. If the limit blocks the mail, links
    /// sent before stay valid. Returns the mail's sequence, to be published after the commit.
    func send(from mailbox: Mailbox, limit: MailLimit, on connection: Connection) throws -> Int64? {
        let sequence = try mailbox.send(sealedDraft, limit: limit, on: connection)
        if sequence != nil { try connection.add(challenge) }
        return sequence
    }
}
