import Crypto
import SQLite

/// A sign-in, with every token refreshed from it.
package struct BackendSession: Sendable, Equatable {
    /// A UUID, lowercase; the `session_id` of its access tokens.
    package let id: String
    package let accountID: String
    let realm: Realm
    /// How many refresh tokens were issued, from 1; 0 for a session without one.
    package var generation: Int
    /// The contract's own data about the sign-in: a JSON object as text.
    package var contractData = "{}"
    package let createdAt: Timestamp
    package var refreshedAt: Timestamp?
    package var revokedAt: Timestamp?
    /// Display text: `signed out`, `refresh token reused` …
    package var revocationReason: String?

    /// Refresh token digests stored per session to detect reuse; an older token is reported as
    /// unknown.
    static let maxStoredRefreshTokens = 1_000

    /// Why a session ended, as shown by the console.
    package enum EndReason: String, Sendable {
        case signedOut = "signed out"
        case refreshTokenReused = "refresh token reused"
        case passwordChanged = "password changed"
        case signedOutByAdministrator = "signed out everywhere by an administrator"
        case secondFactorPresented = "another session presented a second factor"
    }
}

extension BackendSession {
    /// Reads all columns of `sessions`.
    init(_ row: Row) {
        self.init(
            id: row.text(0), accountID: row.text(1), realm: Realm(row, from: 2),
            generation: Int(row.integer(4)), contractData: row.text(5), createdAt: row.timestamp(6),
            refreshedAt: row.optionalTimestamp(7), revokedAt: row.optionalTimestamp(8),
            revocationReason: row.optionalText(9))
    }

    /// The number of columns of `sessions`.
    static let columnCount = 10
}

/// Session queries for use inside a read or a write.
extension Connection {
    /// The first session of a realm that satisfies `condition`, with its account.
    private func session(where condition: StaticSQL, _ values: [Value], in realm: Realm) throws -> (
        session: BackendSession, account: Account
    )? {
        try row(
            """
            SELECT sessions.*, \(Account.columns)
            FROM sessions JOIN accounts ON accounts.id = sessions.account
            WHERE sessions.workspace = ? AND sessions.contract = ? AND \(condition)
            """, realm.sqlValues + values
        ) { (BackendSession($0), Account($0, from: BackendSession.columnCount)) }
    }

    /// The session and its account, if both exist.
    package func session(_ id: String, in realm: Realm) throws -> (
        session: BackendSession, account: Account
    )? {
        let found = try session(where: "sessions.id = ?", [.text(id)], in: realm)
        CheckTrace.record(session: found?.session)
        return found
    }

    /// The session of a refresh token, used or not.
    package func session(ofRefreshToken digest: String, in realm: Realm) throws -> (
        session: BackendSession, account: Account, generation: Int, issuedAt: Timestamp,
        usedAt: Timestamp?
    )? {
        let found = try row(
            """
            SELECT sessions.*, \(Account.columns), refresh_tokens.issued_at, refresh_tokens.used_at,
                refresh_tokens.generation
            FROM refresh_tokens JOIN sessions ON sessions.id = refresh_tokens.session
                JOIN accounts ON accounts.id = sessions.account
            WHERE digest = ? AND sessions.workspace = ? AND sessions.contract = ?
            """, [.text(digest)] + realm.sqlValues
        ) { row in
            let next = BackendSession.columnCount + Account.columnCount
            return (
                BackendSession(row), Account(row, from: BackendSession.columnCount),
                row.timestamp(next), row.optionalTimestamp(next + 1), row.integer(next + 2)
            )
        }
        guard let (session, account, issuedAt, usedAt, generation) = found else {
            CheckTrace.record(.refreshToken, false, "token not found")
            return nil
        }
        CheckTrace.record(.refreshToken, true, "generation \(generation) of \(session.generation)")
        CheckTrace.record(session: session)
        let reuseText = "generation \(generation) of \(session.generation) reused"
        CheckTrace.record(.refreshTokenReuse, usedAt == nil, usedAt == nil ? "" : reuseText)
        return (session, account, Int(generation), issuedAt, usedAt)
    }

    /// The account's sessions that have not ended.
    package func activeSessions(of account: String) throws -> [BackendSession] {
        try rows(
            "SELECT * FROM sessions WHERE account = ? AND revoked_at IS NULL", [.text(account)]
        ) { BackendSession($0) }
    }

    /// Newest first, with the total number.
    func sessions(of account: String, limit: Int) throws -> (sessions: [BackendSession], total: Int)
    {
        let sessions = try rows(
            "SELECT * FROM sessions WHERE account = ? ORDER BY created_at DESC, id LIMIT ?",
            [.text(account), .integer(limit)]
        ) { BackendSession($0) }
        return (
            sessions, try count("SELECT count(*) FROM sessions WHERE account = ?", [.text(account)])
        )
    }

    /// Adds a session, with the token of its first generation if it has one.
    func add(_ session: BackendSession, token: String? = nil) throws {
        try run(
            "INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [.text(session.id), .text(session.accountID)] + session.realm.sqlValues + [
                .integer(session.generation), .text(session.contractData),
                .timestamp(session.createdAt), .timestamp(session.refreshedAt),
                .timestamp(session.revokedAt), .text(session.revocationReason),
            ])
        if let token {
            try addRefreshToken(
                digest: Digest.sha256(token), session: session.id, generation: 1,
                at: session.createdAt)
        }
        try pruneSessions(after: session)
    }

    func addRefreshToken(digest: String, session: String, generation: Int, at now: Timestamp) throws
    {
        try insert(
            [
                ("digest", .text(digest)), ("session", .text(session)),
                ("generation", .integer(generation)), ("issued_at", now.sqlValue),
            ], into: "refresh_tokens")
    }

    /// Whether a refresh token of this generation was issued.
    func hasRefreshToken(of session: String, generation: Int) throws -> Bool {
        try integer(
            "SELECT 1 FROM refresh_tokens WHERE session = ? AND generation = ?",
            [.text(session), .integer(generation)]) != nil
    }

    /// Records that a used token was presented again, whether the reuse is tolerated or not.
    func recordReuse(ofRefreshToken digest: String, at now: Timestamp) throws {
        try run(
            "UPDATE refresh_tokens SET reused_at = ? WHERE digest = ?",
            [now.sqlValue, .text(digest)])
    }

    /// Saves the contract's own data about a sign-in, such as its factors: a JSON object as text.
    package func setContractData(of session: String, to data: String) throws {
        try run("UPDATE sessions SET facts = ? WHERE id = ?", [.text(data), .text(session)])
    }

    package func revoke(session: String, reason end: BackendSession.EndReason, at now: Timestamp)
        throws
    {
        try run(
            """
            UPDATE sessions SET revoked_at = ?, revoked_because = ?
            WHERE id = ? AND revoked_at IS NULL
            """, [now.sqlValue, .text(end.rawValue), .text(session)])
    }

    /// Ends all sessions of an account, except `excluded`.
    package func revokeSessions(
        of account: String, except excluded: String? = nil, reason end: BackendSession.EndReason,
        at now: Timestamp
    ) throws {
        try run(
            """
            UPDATE sessions SET revoked_at = ?, revoked_because = ?
            WHERE account = ? AND revoked_at IS NULL AND id IS NOT ?
            """, [now.sqlValue, .text(end.rawValue), .text(account), .text(excluded)])
    }

    /// Makes `next` the refresh token of `session`, whose generation already counts it. Retires the
    /// token with `digest`; all of the session's tokens if nil.
    func rotateRefreshToken(
        _ session: BackendSession, retiring digest: String?, to next: String, at now: Timestamp
    ) throws {
        try run(
            """
            UPDATE refresh_tokens SET used_at = coalesce(used_at, ?1)
            WHERE session = ?2 AND (?3 IS NULL OR digest = ?3)
            """, [now.sqlValue, .text(session.id), .text(digest)])
        try addRefreshToken(
            digest: next, session: session.id, generation: session.generation, at: now)
        try run(
            "UPDATE sessions SET generation = ?, refreshed_at = ? WHERE id = ?",
            [.integer(session.generation), now.sqlValue, .text(session.id)])
        try run(
            "DELETE FROM refresh_tokens WHERE session = ? AND generation <= ?",
            [
                .text(session.id),
                .integer(session.generation - BackendSession.maxStoredRefreshTokens),
            ])
    }
}

extension Connection {
    /// When a token of any of the account's sessions was last issued.
    package func lastRefreshAt(of account: String) throws -> Timestamp? {
        try integer(
            "SELECT max(coalesce(refreshed_at, created_at)) FROM sessions WHERE account = ?",
            [.text(account)]
        ).map(Timestamp.init(milliseconds:))
    }

    /// Records a refresh that issued no new refresh token.
    package func recordRefresh(of session: String, at now: Timestamp) throws {
        try run(
            "UPDATE sessions SET refreshed_at = ? WHERE id = ?", [now.sqlValue, .text(session)])
    }

    /// The session of a token: the one it names, else the one that began at its `auth_time`.
    package func session(of claims: AccessTokens.Claims, in realm: Realm) throws -> (
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
        try session(
            where: """
                sessions.account = ? AND sessions.created_at >= ? AND sessions.created_at < ?
                ORDER BY sessions.revoked_at IS NOT NULL, sessions.created_at DESC LIMIT 1
                """,
            [
                .text(account), Timestamp(seconds: second).sqlValue,
                Timestamp(seconds: second + 1).sqlValue,
            ], in: realm)
    }

    /// The session of a token if it is certain: nil for a token that names none while several
    /// active sessions began in its second.
    package func unambiguousSession(of claims: AccessTokens.Claims, in realm: Realm) throws
        -> BackendSession?
    {
        if claims.sessionID == nil, let second = claims.signedInAt {
            let count = try integer(
                """
                SELECT count(*) FROM sessions WHERE account = ? AND workspace = ? AND contract = ?
                    AND created_at >= ? AND created_at < ? AND revoked_at IS NULL
                """,
                [.text(claims.subject)] + realm.sqlValues + [
                    Timestamp(seconds: second).sqlValue, Timestamp(seconds: second + 1).sqlValue,
                ])
            guard count == 1 else { return nil }
        }
        return try session(of: claims, in: realm)?.session
    }
}
