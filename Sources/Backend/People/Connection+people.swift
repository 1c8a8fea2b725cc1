import SQLite

/// What is changed of accounts by whoever runs the server, inside a write.
extension Connection {
    func unverifyEmail(of account: String) throws {
        try run("UPDATE accounts SET email_verified_at = NULL WHERE id = ?", [.text(account)])
    }

    /// Nil lets it in again.
    func disable(account: String, at moment: Moment?) throws {
        try run(
            "UPDATE accounts SET disabled_at = ? WHERE id = ?",
            [.integer(moment?.milliseconds), .text(account)])
    }

    /// Nil ends the lock.
    func lock(account: String, until end: Moment?) throws {
        try run(
            "UPDATE accounts SET locked_until = ? WHERE id = ?",
            [.integer(end?.milliseconds), .text(account)])
    }

    /// Newest first, with how many there are.
    func sessions(of account: String, limit: Int) throws -> (sessions: [Session], total: Int) {
        let sessions = try rows(
            """
            SELECT \(Session.columns) FROM sessions WHERE account = ?
            ORDER BY created_at DESC, id LIMIT ?
            """, [.text(account), .integer(limit)]
        ) { Session($0) }
        let total = try integer("SELECT count(*) FROM sessions WHERE account = ?", [.text(account)])
        return (sessions, Int(total ?? 0))
    }
}
