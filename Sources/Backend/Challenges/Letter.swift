import SQLite

/// A mail together with the challenge its link or code answers.
struct Letter: Sendable {
    let envelope: Mailbox.Envelope
    let challenge: Challenge

    /// Sends the mail inside a write and makes its link work, unless the
    /// limit holds it back: then links sent before keep working.
    func post(
        from mailbox: Mailbox, limit: MailLimit, on connection: Connection
    ) throws -> MailRequest.Outcome {
        let outcome = try mailbox.send(envelope, limit: limit, on: connection)
        if outcome == .sent { try connection.add(challenge) }
        return outcome
    }
}
