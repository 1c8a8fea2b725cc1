import SQLite

/// Queries and changes of an account and its sessions, for use inside a read or a write.
extension Connection {
    /// Deletes the account with its sessions and codes.
    package func remove(account: String) throws {
        try run("DELETE FROM accounts WHERE id = ?", [.text(account)])
    }

    /// `email` is normalized, not taken and not verified.
    package func setUnverifiedEmail(of account: String, to email: String) throws {
        try run(
            """
            UPDATE accounts SET email = ?, email_verified_at = NULL
            WHERE id = ?
            """, [.text(email), .text(account)])
    }
}
