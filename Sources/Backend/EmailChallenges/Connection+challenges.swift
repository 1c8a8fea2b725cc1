import SQLite

/// Challenge queries for use inside a read or a write.
extension Connection {
    package func challenge(_ digest: String, for purpose: Challenge.Purpose, in realm: Realm) throws
        -> Challenge?
    {
        let found =
            try row(
                """
                SELECT * FROM challenges WHERE digest = ? AND purpose = ?
                    AND workspace = ? AND contract = ?
                """,
                [
                    .text(digest), .text(purpose.rawValue), .text(realm.workspace),
                    .text(realm.contract),
                ]
            ) { Challenge($0) } ?? nil
        CheckTrace.record(
            .code, found != nil, found == nil ? "unknown code" : "sent")
        return found
    }

    /// The newest challenge sent to `email` for `purpose`, valid or not; for codes, which are
    /// looked up by recipient.
    package func newestChallenge(to email: String, for purpose: Challenge.Purpose, in realm: Realm)
        throws
        -> Challenge?
    {
        try row(
            """
            SELECT * FROM challenges WHERE workspace = ? AND contract = ?
                AND email = ? AND purpose = ? AND replaced_at IS NULL
            ORDER BY created_at DESC LIMIT 1
            """,
            [.text(realm.workspace), .text(realm.contract), .text(email), .text(purpose.rawValue)]
        ) { Challenge($0) } ?? nil
    }

    package func recordFailedAttempt(at challenge: Challenge) throws {
        CheckTrace.record(
            .code, false, "wrong code, \((challenge.failedAttempts + 1).ordinal) attempt")
        try run(
            "UPDATE challenges SET attempts = attempts + 1 WHERE digest = ?",
            [.text(challenge.digest)])
    }

    /// Replaces an account's unused challenges for `purpose`, or for every purpose if nil.
    package func invalidateChallenges(
        of account: String, for purpose: Challenge.Purpose? = nil, at now: Timestamp
    )
        throws
    {
        try run(
            """
            UPDATE challenges SET replaced_at = ?1
            WHERE account = ?2 AND (?3 IS NULL OR purpose = ?3)
                AND used_at IS NULL AND replaced_at IS NULL
            """, [now.sqlValue, .text(account), .text(purpose?.rawValue)])
    }

    /// Adds `challenge` and replaces unused ones of the same address and purpose.
    func add(_ challenge: Challenge) throws {
        try run(
            """
            UPDATE challenges SET replaced_at = ?
            WHERE workspace = ? AND contract = ? AND email = ?
                AND purpose = ? AND used_at IS NULL AND replaced_at IS NULL
            """,
            [
                challenge.createdAt.sqlValue, .text(challenge.realm.workspace),
                .text(challenge.realm.contract), .text(challenge.email),
                .text(challenge.purpose.rawValue),
            ])
        try run(
            """
            INSERT INTO challenges
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL)
            """,
            [
                .text(challenge.digest), .text(challenge.accountID),
                .text(challenge.realm.workspace),
                .text(challenge.realm.contract),
                .text(challenge.purpose.rawValue), .text(challenge.email),
                .text(challenge.mailID), .integer(challenge.failedAttempts),
                challenge.createdAt.sqlValue, challenge.expiresAt.sqlValue,
            ])
        try pruneChallenges(after: challenge)
    }

    /// Marks `challenge` and its mail as used.
    package func markUsed(_ challenge: Challenge, at now: Timestamp) throws {
        try run(
            "UPDATE challenges SET used_at = ? WHERE digest = ?",
            [now.sqlValue, .text(challenge.digest)])
        try run(
            "UPDATE mails SET used_at = ? WHERE id = ?", [now.sqlValue, .text(challenge.mailID)])
    }
}

extension Connection {
    /// Whether the account was ever mailed a link or code for one of these purposes.
    package func wasMailed(_ account: String, for purposes: [Challenge.Purpose]) throws -> Bool {
        try purposes.contains { purpose in
            try integer(
                """
                SELECT 1 FROM challenges WHERE account = ? AND purpose = ?
                LIMIT 1
                """, [.text(account), .text(purpose.rawValue)]) != nil
        }
    }
}
