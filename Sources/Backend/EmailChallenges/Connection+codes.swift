import Core
import SQLite

/// What is asked of one-time codes, inside a read or a write.
extension Connection {
    /// Adds a code beside those of the same address that still work; the same
    /// digits sent once more work once more.
    func addCode(_ code: Challenge) throws {
        try run(
            """
            DELETE FROM challenges
            WHERE workspace = ? AND contract = ? AND email = ?
                AND expires_at < ?
            """,
            [
                .text(code.realm.workspace), .text(code.realm.contract), .text(code.email),
                (code.createdAt - Self.retention).sqlValue,
            ])
        try run(
            """
            INSERT OR REPLACE INTO challenges
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL)
            """,
            [
                .text(code.digest), .text(code.accountID),
                .text(code.realm.workspace), .text(code.realm.contract),
                .text(code.purpose.rawValue), .text(code.email),
                .text(code.mailID), .integer(code.failedAttempts),
                code.createdAt.sqlValue, code.expiresAt.sqlValue,
            ])
        try pruneChallenges(after: code)
    }

    /// For so long "expired" can be said of a code, then "unknown".
    private static var retention: Duration { .seconds(86_400) }

    /// Ends every code of `email` for these purposes that still works.
    func invalidateCodes(
        of email: String, for purposes: [Challenge.Purpose], in realm: Realm, at now: Timestamp
    ) throws {
        for purpose in purposes {
            try run(
                """
                UPDATE challenges SET replaced_at = ?
                WHERE workspace = ? AND contract = ? AND email = ?
                    AND purpose = ? AND used_at IS NULL
                    AND replaced_at IS NULL
                """,
                [
                    now.sqlValue, .text(realm.workspace), .text(realm.contract), .text(email),
                    .text(purpose.rawValue),
                ])
        }
    }

    /// Counts a wrong guess against every code of `email` that still works;
    /// gives how many there were against the one guessed at most.
    func countFailedAttempt(
        at email: String, for purposes: [Challenge.Purpose], in realm: Realm, at now: Timestamp
    ) throws -> Int {
        var most = 0
        for purpose in purposes {
            let values: [Value] = [
                .text(realm.workspace), .text(realm.contract), .text(email),
                .text(purpose.rawValue), now.sqlValue,
            ]
            try run(
                """
                UPDATE challenges SET attempts = attempts + 1
                WHERE workspace = ? AND contract = ? AND email = ?
                    AND purpose = ? AND expires_at > ?
                    AND used_at IS NULL AND replaced_at IS NULL
                """, values)
            let guesses = try integer(
                """
                SELECT max(attempts) FROM challenges
                WHERE workspace = ? AND contract = ? AND email = ?
                    AND purpose = ? AND expires_at > ?
                    AND used_at IS NULL AND replaced_at IS NULL
                """, values)
            most = max(most, Int(guesses ?? 0))
        }
        let count = most
        CheckTrace.record(
            .code, false,
            count == 0
                ? "no code that still works was sent to this e-mail"
                : "wrong code, \(count.ordinal) guess")
        return most
    }
}
