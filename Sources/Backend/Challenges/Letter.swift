import SQLite

/// A mail together with the challenge its link or code answers.
struct Letter: Sendable {
    let envelope: Mailbox.Envelope
    let challenge: Challenge

    /// Sends the mail inside a write and makes its link work, unless the
    /// limit holds it back: then links sent before keep working. Gives the
    /// mail's place in the box, to be announced after the commit.
    func post(from mailbox: Mailbox, limit: MailLimit, on connection: Connection) throws -> Int64? {
        let place = try mailbox.send(envelope, limit: limit, on: connection)
        if place != nil { try connection.add(challenge) }
        return place
    }
}
