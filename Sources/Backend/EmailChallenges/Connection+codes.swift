import Core
import SQLite

/// One-time code queries for use inside a read or a write.
extension Connection {
    /// Adds a code without replacing valid ones of the same address. Sending the same digits again
    /// makes them valid again.
    package func addCode(_ code: Challenge) throws {
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

    /// How long a code is reported as expired; after that it is unknown.
    private static var retention: Duration { .seconds(86_400) }

    /// Replaces every valid code of `email` for these purposes.
    package func invalidateCodes(
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

    /// Counts a wrong guess against every valid code of `email`. Returns the highest resulting
    /// count.
    package func countFailedAttempt(
        at email: String, for purposes: [Challenge.Purpose], in realm: Realm, at now: Timestamp
    ) throws -> Int {
        var highestCount = 0
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
            let attempts = try integer(
                """
                SELECT max(attempts) FROM challenges
                WHERE workspace = ? AND contract = ? AND email = ?
                    AND purpose = ? AND expires_at > ?
                    AND used_at IS NULL AND replaced_at IS NULL
                """, values)
            highestCount = max(highestCount, Int(attempts ?? 0))
        }
        let count = highestCount
        CheckTrace.record(
            .code, false,
            count == 0
                ? "no valid code for this email"
                : "wrong code, \(count.ordinal) attempt")
        return highestCount
    }
}
