import SQLite

/// Account changes by an administrator, for use inside a write.
extension Connection {
    func unverifyEmail(of account: String) throws {
        try run("UPDATE accounts SET email_verified_at = NULL WHERE id = ?", [.text(account)])
    }

    /// Nil enables the account again.
    func setDisabled(account: String, at disabledAt: Timestamp?) throws {
        try run(
            "UPDATE accounts SET disabled_at = ? WHERE id = ?",
            [.integer(disabledAt?.milliseconds), .text(account)])
    }

    /// Nil removes the lock.
    package func setLock(account: String, until lockedUntil: Timestamp?) throws {
        try run(
            "UPDATE accounts SET locked_until = ? WHERE id = ?",
            [.integer(lockedUntil?.milliseconds), .text(account)])
    }

    /// Newest first, with the total number.
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
