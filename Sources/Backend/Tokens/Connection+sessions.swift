import SQLite

/// What is asked of sessions, inside a read or a write.
extension Connection {
    /// The session and its account, while both are there.
    func session(_ id: String, in realm: Realm) throws -> (session: Session, account: Account)? {
        let found = try row(
            """
            SELECT \(Session.columns), \(Account.columns)
            FROM sessions JOIN accounts ON accounts.id = sessions.account
            WHERE sessions.id = ? AND sessions.workspace = ?
                AND sessions.contract = ?
            """, [.text(id), .text(realm.workspace), .text(realm.contract)]
        ) { (Session($0), Account($0, from: Session.columnCount)) }
        Trail.note(session: found?.0)
        return found
    }

    /// The session a refresh token belongs to, used or not.
    func session(ofRefreshToken digest: String, in realm: Realm) throws -> (
        session: Session, account: Account, issuedAt: Moment, usedAt: Moment?
    )? {
        let found = try row(
            """
            SELECT \(Session.columns), \(Account.columns),
                refresh_tokens.issued_at, refresh_tokens.used_at,
                refresh_tokens.generation
            FROM refresh_tokens
                JOIN sessions ON sessions.id = refresh_tokens.session
                JOIN accounts ON accounts.id = sessions.account
            WHERE refresh_tokens.digest = ? AND sessions.workspace = ?
                AND sessions.contract = ?
            """, [.text(digest), .text(realm.workspace), .text(realm.contract)]
        ) { row in
            (
                Session(row), Account(row, from: Session.columnCount),
                row.moment(Session.columnCount + Account.columnCount),
                row.optionalMoment(Session.columnCount + Account.columnCount + 1),
                row.integer(Session.columnCount + Account.columnCount + 2)
            )
        }
        guard let (session, account, issuedAt, usedAt, generation) = found else {
            Trail.note(.refresh, false, "no row for this token")
            return nil
        }
        Trail.note(.refresh, true, "generation \(generation) of \(session.generation)")
        Trail.note(session: session)
        let old = "refresh generation \(generation) of \(session.generation) was used again"
        Trail.note(.generation, usedAt == nil, usedAt == nil ? "" : old)
        return (session, account, issuedAt, usedAt)
    }

    func add(_ session: Session) throws {
        try run(
            """
            INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(session.id), .text(session.account),
                .text(session.realm.workspace),
                .text(session.realm.contract), .integer(session.generation),
                .text(session.facts), session.createdAt.value,
                .integer(session.refreshedAt?.milliseconds),
                .integer(session.revokedAt?.milliseconds),
                .text(session.revokedBecause),
            ])
        try pruneSessions(after: session)
    }

    func addRefreshToken(digest: String, session: String, generation: Int, at now: Moment) throws {
        try run(
            """
            INSERT INTO refresh_tokens
                (digest, session, generation, issued_at)
            VALUES (?, ?, ?, ?)
            """, [.text(digest), .text(session), .integer(generation), now.value])
    }

    /// Notes that a used token came again, whatever that leads to.
    func noteReuse(ofRefreshToken digest: String, at now: Moment) throws {
        try run(
            "UPDATE refresh_tokens SET reused_at = ? WHERE digest = ?", [now.value, .text(digest)])
    }

    func revoke(session: String, because end: Session.End, at now: Moment) throws {
        try run(
            """
            UPDATE sessions SET revoked_at = ?, revoked_because = ?
            WHERE id = ? AND revoked_at IS NULL
            """, [now.value, .text(end.rawValue), .text(session)])
    }

    /// Ends all of them, or all but `kept`.
    func revokeSessions(
        of account: String, except kept: String? = nil, because end: Session.End, at now: Moment
    ) throws {
        try run(
            """
            UPDATE sessions SET revoked_at = ?, revoked_because = ?
            WHERE account = ? AND revoked_at IS NULL AND id IS NOT ?
            """, [now.value, .text(end.rawValue), .text(account), .text(kept)])
    }

    /// Makes `next` the refresh token of `session`, whose generation counts
    /// it already; retires the token with `digest`, or all before it.
    func advance(_ session: Session, retiring digest: String?, to next: String, at now: Moment)
        throws
    {
        try run(
            """
            UPDATE refresh_tokens SET used_at = coalesce(used_at, ?1)
            WHERE session = ?2 AND (?3 IS NULL OR digest = ?3)
            """, [now.value, .text(session.id), .text(digest)])
        try addRefreshToken(
            digest: next, session: session.id, generation: session.generation, at: now)
        try run(
            """
            UPDATE sessions SET generation = ?, refreshed_at = ? WHERE id = ?
            """, [.integer(session.generation), now.value, .text(session.id)])
        try run(
            """
            DELETE FROM refresh_tokens WHERE session = ? AND generation <= ?
            """, [.text(session.id), .integer(session.generation - Session.rememberedTokens)])
    }
}
