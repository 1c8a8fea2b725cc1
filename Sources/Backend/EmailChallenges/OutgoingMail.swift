import SQLite

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
