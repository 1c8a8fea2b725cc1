import Core
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
                """, [.text(digest), .text(purpose.rawValue)] + realm.sqlValues
            ) { Challenge($0) } ?? nil
        CheckTrace.record(.code, found != nil, found == nil ? "unknown code" : "sent")
        return found
    }

    /// The newest challenge sent to `email` for `purpose`, valid or not; for codes, which are
    /// looked up by recipient.
    package func newestChallenge(to email: String, for purpose: Challenge.Purpose, in realm: Realm)
        throws -> Challenge?
    {
        try row(
            """
            SELECT * FROM challenges WHERE workspace = ? AND contract = ?
                AND email = ? AND purpose = ? AND replaced_at IS NULL
            ORDER BY created_at DESC LIMIT 1
            """, realm.sqlValues + [.text(email), .text(purpose.rawValue)]
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
    ) throws {
        try run(
            """
            UPDATE challenges SET replaced_at = ?1
            WHERE account = ?2 AND (?3 IS NULL OR purpose = ?3)
                AND used_at IS NULL AND replaced_at IS NULL
            """, [now.sqlValue, .text(account), .text(purpose?.rawValue)])
    }

    /// Replaces every unused challenge of `email` for these purposes.
    package func invalidateCodes(
        of email: String, for purposes: [Challenge.Purpose], in realm: Realm, at now: Timestamp
    ) throws {
        for purpose in purposes {
            try run(
                """
                UPDATE challenges SET replaced_at = ?
                WHERE workspace = ? AND contract = ? AND email = ?
                    AND purpose = ? AND used_at IS NULL AND replaced_at IS NULL
                """, [now.sqlValue] + realm.sqlValues + [.text(email), .text(purpose.rawValue)])
        }
    }

    /// Adds `challenge` and replaces unused ones of the same address and purpose.
    func add(_ challenge: Challenge) throws {
        try invalidateCodes(
            of: challenge.email, for: [challenge.purpose], in: challenge.realm,
            at: challenge.createdAt)
        try insert(challenge)
    }

    /// Adds a code without replacing valid ones of the same address. Sending the same digits again
    /// makes them valid again.
    package func addCode(_ code: Challenge) throws {
        // A code is reported as expired for a day; after that it is unknown.
        try run(
            """
            DELETE FROM challenges
            WHERE workspace = ? AND contract = ? AND email = ? AND expires_at < ?
            """,
            code.realm.sqlValues + [
                .text(code.email), (code.createdAt - .seconds(86_400)).sqlValue,
            ])
        try insert(code)
    }

    private func insert(_ challenge: Challenge) throws {
        try run(
            """
            INSERT OR REPLACE INTO challenges
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL)
            """,
            [.text(challenge.digest), .text(challenge.accountID)] + challenge.realm.sqlValues + [
                .text(challenge.purpose.rawValue), .text(challenge.email), .text(challenge.mailID),
                .integer(challenge.failedAttempts), challenge.createdAt.sqlValue,
                challenge.expiresAt.sqlValue,
            ])
        try pruneChallenges(after: challenge)
    }

    /// Counts a wrong guess against every valid code of `email`. Returns the highest resulting
    /// count.
    package func countFailedAttempt(
        at email: String, for purposes: [Challenge.Purpose], in realm: Realm, at now: Timestamp
    ) throws -> Int {
        var highestCount = 0
        for purpose in purposes {
            let values = realm.sqlValues + [.text(email), .text(purpose.rawValue), now.sqlValue]
            let validCodes: StaticSQL = """
                workspace = ? AND contract = ? AND email = ?
                    AND purpose = ? AND expires_at > ?
                    AND used_at IS NULL AND replaced_at IS NULL
                """
            try run("UPDATE challenges SET attempts = attempts + 1 WHERE \(validCodes)", values)
            let attempts = try integer(
                "SELECT max(attempts) FROM challenges WHERE \(validCodes)", values)
            highestCount = max(highestCount, Int(attempts ?? 0))
        }
        let count = highestCount
        CheckTrace.record(
            .code, false,
            count == 0 ? "no valid code for this email" : "wrong code, \(count.ordinal) attempt")
        return highestCount
    }

    /// Marks `challenge` and its mail as used.
    package func markUsed(_ challenge: Challenge, at now: Timestamp) throws {
        try run(
            "UPDATE challenges SET used_at = ? WHERE digest = ?",
            [now.sqlValue, .text(challenge.digest)])
        try run(
            "UPDATE mails SET used_at = ? WHERE id = ?", [now.sqlValue, .text(challenge.mailID)])
    }

    /// Whether the account was ever mailed a link or code for one of these purposes.
    package func wasMailed(_ account: String, for purposes: [Challenge.Purpose]) throws -> Bool {
        try purposes.contains { purpose in
            try integer(
                "SELECT 1 FROM challenges WHERE account = ? AND purpose = ? LIMIT 1",
                [.text(account), .text(purpose.rawValue)]) != nil
        }
    }

    /// A mailed challenge with its account; nil if either no longer exists.
    package func linkedAccount(_ digest: String, for purpose: Challenge.Purpose, in realm: Realm)
        throws -> (challenge: Challenge, account: Account)?
    {
        guard let challenge = try challenge(digest, for: purpose, in: realm),
            let owner = challenge.accountID, let account = try account(owner, in: realm)
        else { return nil }
        return (challenge, account)
    }
}
