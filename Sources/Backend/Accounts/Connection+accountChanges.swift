import SQLite

/// Queries and changes of an account and its sessions, for use inside a read or a write.
extension Connection {
    /// Deletes the account with its sessions and codes.
    func remove(account: String) throws {
        try run("DELETE FROM accounts WHERE id = ?", [.text(account)])
    }

    /// `email` is normalized, not taken and not verified.
    func setUnverifiedEmail(of account: String, to email: String) throws {
        try run(
            """
            UPDATE accounts SET email = ?, email_verified_at = NULL
            WHERE id = ?
            """, [.text(email), .text(account)])
    }

    /// When a token of any of the account's sessions was last issued.
    func lastRefreshAt(of account: String) throws -> Timestamp? {
        try integer(
            """
            SELECT max(coalesce(refreshed_at, created_at)) FROM sessions
            WHERE account = ?
            """, [.text(account)]
        ).map(Timestamp.init(milliseconds:))
    }

    /// Records a refresh that issued no new refresh token.
    func recordRefresh(of session: String, at now: Timestamp) throws {
        try run(
            "UPDATE sessions SET refreshed_at = ? WHERE id = ?", [now.sqlValue, .text(session)])
    }

    /// The session of a token: the one it names, else the one that began at its `auth_time`.
    func session(of claims: AccessTokens.Claims, in realm: Realm) throws -> (
        session: BackendSession, account: Account
    )? {
        if let id = claims.sessionID { return try session(id, in: realm) }
        return try claims.signedInAt.flatMap {
            try session(of: claims.subject, startedAt: $0, in: realm)
        }
    }

    /// The session of `account` that began in this second since 1970; an active one before an ended
    /// one.
    func session(of account: String, startedAt second: Int64, in realm: Realm) throws -> (
        session: BackendSession, account: Account
    )? {
        try row(
            """
            SELECT \(BackendSession.columns), \(Account.columns)
            FROM sessions JOIN accounts ON accounts.id = sessions.account
            WHERE sessions.account = ? AND sessions.workspace = ?
                AND sessions.contract = ? AND sessions.created_at >= ?
                AND sessions.created_at < ?
            ORDER BY sessions.revoked_at IS NOT NULL, sessions.created_at DESC
            LIMIT 1
            """,
            [
                .text(account), .text(realm.workspace), .text(realm.contract),
                Timestamp(seconds: second).sqlValue, Timestamp(seconds: second + 1).sqlValue,
            ]
        ) { (BackendSession($0), Account($0, from: BackendSession.columnCount)) }
    }

    /// The session of a token if it is certain: nil for a token that names none while several
    /// active sessions began in its second.
    func unambiguousSession(of claims: AccessTokens.Claims, in realm: Realm) throws
        -> BackendSession?
    {
        if claims.sessionID == nil, let second = claims.signedInAt {
            let count = try integer(
                """
                SELECT count(*) FROM sessions
                WHERE account = ? AND workspace = ? AND contract = ?
                    AND created_at >= ? AND created_at < ?
                    AND revoked_at IS NULL
                """,
                [
                    .text(claims.subject), .text(realm.workspace),
                    .text(realm.contract), Timestamp(seconds: second).sqlValue,
                    Timestamp(seconds: second + 1).sqlValue,
                ])
            guard count == 1 else { return nil }
        }
        return try session(of: claims, in: realm)?.session
    }

    /// Whether the account was ever mailed a link or code for one of these purposes.
    func wasMailed(_ account: String, for purposes: [Challenge.Purpose]) throws -> Bool {
        try purposes.contains { purpose in
            try integer(
                """
                SELECT 1 FROM challenges WHERE account = ? AND purpose = ?
                LIMIT 1
                """, [.text(account), .text(purpose.rawValue)]) != nil
        }
    }
}
