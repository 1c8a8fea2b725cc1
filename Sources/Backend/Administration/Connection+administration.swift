import SQLite

/// What is changed of accounts by whoever runs the server, inside a write.
extension Connection {
    func unverifyEmail(of account: String) throws {
        try run("UPDATE accounts SET email_verified_at = NULL WHERE id = ?", [.text(account)])
    }

    /// Nil lets it in again.
    func setDisabled(account: String, at moment: Timestamp?) throws {
        try run(
            "UPDATE accounts SET disabled_at = ? WHERE id = ?",
            [.integer(moment?.milliseconds), .text(account)])
    }

    /// Nil ends the lock.
    func setLock(account: String, until end: Timestamp?) throws {
        try run(
            "UPDATE accounts SET locked_until = ? WHERE id = ?",
            [.integer(end?.milliseconds), .text(account)])
    }

    /// Newest first, with how many there are.
    func sessions(of account: String, limit: Int) throws -> (sessions: [BackendSession], total: Int)
    {
        let sessions = try rows(
            """
            SELECT \(BackendSession.columns) FROM sessions WHERE account = ?
            ORDER BY created_at DESC, id LIMIT ?
            """, [.text(account), .integer(limit)]
        ) { BackendSession($0) }
        let total = try integer("SELECT count(*) FROM sessions WHERE account = ?", [.text(account)])
        return (sessions, Int(total ?? 0))
    }
}
