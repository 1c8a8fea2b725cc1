import Core
package import SQLite

extension ContractContext {
    /// A mail written from a template, with a challenge that is found by `digest` and valid for
    /// `lifetime`.
    package func makeMail(
        _ template: MailTemplate, digest: String, purpose: Challenge.Purpose, lifetime: Duration,
        to address: String, account: String?, in realm: Realm
    ) throws -> OutgoingMail {
        let now = now(in: realm)
        let id = world.makeID("mail")
        let draft = template.makeDraft(
            to: address, purpose: purpose.mailPurpose, lifetime: lifetime, in: realm, id: id,
            at: now)
        return OutgoingMail(
            sealedDraft: try mailbox.seal(draft),
            challenge: Challenge(
                digest: digest, accountID: account, realm: realm, purpose: purpose, email: address,
                mailID: id, createdAt: now, expiresAt: now + lifetime))
    }
}

/// A mail with the challenge of its link or code.
package struct OutgoingMail: Sendable {
    package let sealedDraft: Mailbox.SealedDraft
    package let challenge: Challenge

    package init(sealedDraft: Mailbox.SealedDraft, challenge: Challenge) {
        self.sealedDraft = sealedDraft
        self.challenge = challenge
    }

    /// Sends the mail inside a write and adds its challenge. If the limit blocks the mail, links
    /// sent before stay valid. Returns the mail's sequence, to be published after the commit.
    package func send(from mailbox: Mailbox, limit: MailLimit, on connection: Connection) throws
        -> Int64?
    {
        let sequence = try mailbox.send(sealedDraft, limit: limit, on: connection)
        if sequence != nil { try connection.add(challenge) }
        return sequence
    }
}

extension Mailbox {
    /// Publishes that a mail's link or code was used.
    package func publishUsed(of challenge: Challenge) {
        guard let mailID = challenge.mailID else { return }
        hub.publish(
            EventDraft(
                workspace: challenge.realm.workspace, kind: .mailUsed,
                app: challenge.realm.contract, subject: mailID,
                title: "Mail to \(challenge.email) opened",
                details: eventDetails(to: challenge.email, purpose: challenge.purpose.mailPurpose)))
    }
}
