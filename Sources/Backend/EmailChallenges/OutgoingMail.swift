import SQLite

/// A mail together with the challenge its link or code answers.
struct OutgoingMail: Sendable {
    let sealedDraft: Mailbox.SealedDraft
    let challenge: Challenge

    /// Sends the mail inside a write and makes its link work, unless the
    /// limit holds it back: then links sent before keep working. Gives the
    /// mail's place in the box, to be announced after the commit.
    func send(from mailbox: Mailbox, limit: MailLimit, on connection: Connection) throws -> Int64? {
        let place = try mailbox.send(sealedDraft, limit: limit, on: connection)
        if place != nil { try connection.add(challenge) }
        return place
    }
}
