import SQLite

/// Forgetting what is over, inside a write, for every contract alike.
///
/// Everything here is found again by a secret nobody keeps as it is, and is
/// answered as unknown once it is gone: a session that ended and one that
/// never was are the same to who refreshes. A day later, so that "expired"
/// and "signed out" can be said for as long as somebody may ask.
extension Connection {
    private static var retention: Duration { .seconds(86_400) }

    /// Whether the row with this random id is one of every 64.
    private func isTimeToPrune(_ id: String) -> Bool {
        UInt8(id.suffix(2), radix: 16).map { $0 % 64 == 0 } ?? false
    }

    /// Called with every session that begins: removes what ended in its
    /// workspace, with its refresh tokens, more than so many inserts can add.
    func pruneSessions(after session: BackendSession) throws {
        guard isTimeToPrune(session.id) else { return }
        try run(
            """
            DELETE FROM sessions WHERE id IN (
                SELECT id FROM sessions
                WHERE revoked_at IS NOT NULL AND revoked_at < ?
                    AND workspace = ? LIMIT 256)
            """, [(session.createdAt - Self.retention).sqlValue, .text(session.realm.workspace)])
    }

    /// Called with every challenge that is added: removes what expired in its
    /// workspace, with its flow. What an account was mailed last to verify its
    /// address stays, because it is asked of for as long as the account is.
    func pruneChallenges(after challenge: Challenge) throws {
        guard isTimeToPrune(challenge.digest) else { return }
        let over: StaticSQL = """
            SELECT digest FROM challenges
            WHERE (account IS NULL OR replaced_at IS NOT NULL
                OR purpose NOT IN ('verify', 'verify code'))
                AND expires_at < ?1 AND workspace = ?2
            ORDER BY expires_at LIMIT 256
            """
        let scope = [
            (challenge.createdAt - Self.retention).sqlValue, .text(challenge.realm.workspace),
        ]
        try run("DELETE FROM flows WHERE link IN (\(over))", scope)
        try run("DELETE FROM challenges WHERE digest IN (\(over))", scope)
    }
}
