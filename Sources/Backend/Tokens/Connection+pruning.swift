import SQLite

/// Forgetting what is over, inside a write, for every contract alike.
///
/// Everything here is found again by a secret nobody keeps as it is, and is
/// answered as unknown once it is gone: a session that ended and one that
/// never was are the same to who refreshes. A day later, so that "expired"
/// and "signed out" can be said for as long as somebody may ask.
extension Connection {
    private static var remembered: Duration { .seconds(86_400) }

    /// Whether the row with this random id is one of every 64.
    private func isTimeToPrune(_ id: String) -> Bool {
        UInt8(id.suffix(2), radix: 16).map { $0 % 64 == 0 } ?? false
    }

    /// Called with the id of every session that begins: removes what ended,
    /// with its refresh tokens, more than so many inserts can add.
    func pruneSessions(after id: String, at now: Moment) throws {
        guard isTimeToPrune(id) else { return }
        try run(
            """
            DELETE FROM sessions WHERE id IN (
                SELECT id FROM sessions
                WHERE revoked_at IS NOT NULL AND revoked_at < ? LIMIT 256)
            """, [(now - Self.remembered).value])
    }

    /// Called with the digest of every challenge that is added: removes what
    /// expired, with its flow. What an account was mailed last to verify its
    /// address stays, because it is asked of for as long as the account is.
    func pruneChallenges(after digest: String, at now: Moment) throws {
        guard isTimeToPrune(digest) else { return }
        let over: StaticSQL = """
            SELECT digest FROM challenges
            WHERE (account IS NULL OR replaced_at IS NOT NULL
                OR purpose NOT IN ('verify', 'verify code'))
                AND expires_at < ?
            ORDER BY expires_at LIMIT 256
            """
        let end = (now - Self.remembered).value
        try run("DELETE FROM flows WHERE link IN (\(over))", [end])
        try run("DELETE FROM challenges WHERE digest IN (\(over))", [end])
    }
}
