import SQLite

/// Deletes ended sessions and expired challenges inside a write, for every contract.
///
/// Each of these rows is looked up by a secret that is stored only as a digest, and is reported as
/// unknown once deleted: to a client that refreshes, a deleted session and one that never existed
/// are the same. Rows are retained for a day, so that "expired" and "signed out" can still be
/// reported.
extension Connection {
    private static var retention: Duration { .seconds(86_400) }

    /// True for one of every 64 random ids.
    private func isTimeToPrune(_ id: String) -> Bool {
        UInt8(id.suffix(2), radix: 16).map { $0 % 64 == 0 } ?? false
    }

    /// Called for every new session. Removes ended sessions of its workspace with their refresh
    /// tokens, more per run than the inserts between two runs can add.
    func pruneSessions(after session: BackendSession) throws {
        guard isTimeToPrune(session.id) else { return }
        try run(
            """
            DELETE FROM sessions WHERE id IN (SELECT id FROM sessions
                WHERE revoked_at IS NOT NULL AND revoked_at < ? AND workspace = ? LIMIT 256)
            """, [(session.createdAt - Self.retention).sqlValue, .text(session.realm.workspace)])
    }

    /// Called for every new challenge. Removes expired challenges of its workspace with their PKCE
    /// flows. An account's newest challenge to verify its address is retained, because it is
    /// queried for as long as the account exists.
    func pruneChallenges(after challenge: Challenge) throws {
        guard isTimeToPrune(challenge.digest) else { return }
        let expired: StaticSQL = """
            SELECT digest FROM challenges
            WHERE (account IS NULL OR replaced_at IS NOT NULL
                OR purpose NOT IN ('verify', 'verify code'))
                AND expires_at < ?1 AND workspace = ?2
            ORDER BY expires_at LIMIT 256
            """
        let values = [
            (challenge.createdAt - Self.retention).sqlValue, .text(challenge.realm.workspace),
        ]
        try run("DELETE FROM flows WHERE link IN (\(expired))", values)
        try run("DELETE FROM challenges WHERE digest IN (\(expired))", values)
    }
}
