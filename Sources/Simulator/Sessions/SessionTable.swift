package import FoundationEssentials
import SQLite
import Web

/// The database tables of sessions and their history.
enum SessionTable {
    static let columns: StaticSQL = """
        s.id, s.workspace, s.app, s.device, s.backend, s.ended, s.created_at, s.refreshed_at, \
        s.ended_at, s.refresh_count, s.user_id, s.email, s.access, s.refresh, s.claims, \
        s.generation, s.sequence, s.disagreements
        """

    /// Number of history entries per session: the newest, and always the first.
    private static let maxHistoryEntries = 500

    static func write(_ session: Session, generation: Int, label: String, _ connection: Connection)
        throws
    {
        let columns: Columns = [
            ("ended", .text(session.endedColumn)),
            ("expires_at", .date(session.accessToken?.expiresAt)),
            ("refreshed_at", .date(session.refreshedAt)), ("ended_at", .date(session.endedAt)),
            ("refresh_count", .integer(session.refreshCount)), ("generation", .integer(generation)),
            ("user_id", .text(session.userID)), ("email", .text(session.email)),
            ("access", .text(session.accessToken?.storedJSON.description)),
            ("refresh", .text(session.refreshToken?.storedJSON.description)),
            ("claims", .text(session.accessToken?.claims?.description)),
            ("backend", .text(session.backend)), ("disagreements", .integer(0)),
        ]
        let exists = try connection.update("sessions", columns, where: "id", is: .text(session.id))
        guard !exists else { return }
        let fixedColumns: Columns = [
            ("id", .text(session.id)), ("workspace", .text(session.workspace)),
            ("app", .text(session.app)), ("device", .text(session.device)),
            ("created_at", .date(session.createdAt)), ("label", .text(label)),
        ]
        try connection.insert(columns + fixedColumns, into: "sessions")
    }

    static func addHistoryEntry(
        _ entry: SessionHistoryEntry, to session: String, _ connection: Connection
    ) throws {
        let row = try connection.row(
            """
            SELECT s.sequence, coalesce(max(m.number), 0) FROM sessions s \
            LEFT JOIN session_moments m ON m.session = s.sequence \
            WHERE s.id = ? GROUP BY s.sequence
            """, [.text(session)]
        ) { ($0.integer(0), $0.integer(1)) }
        guard let (sequence, last) = row else { return }
        try connection.run(
            "INSERT INTO session_moments VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [
                .integer(sequence), .integer(last + 1), .date(entry.at), .text(entry.kind),
                .text(entry.title), .integer(entry.generation), .text(entry.exchange),
                .integer(entry.tokenNumber.map { Int64($0) }),
            ])
        try connection.run(
            "DELETE FROM session_moments WHERE session = ? AND number > 1 AND number <= ?",
            [.integer(sequence), .integer(last + 1 - Int64(maxHistoryEntries))])
    }

    // MARK: Reading

    /// The active session of an app on a device, with its access token's generation.
    static func activeSession(of instance: AppInstance, _ connection: Connection) throws -> (
        session: Session, generation: Int
    )? {
        try connection.row(
            """
            SELECT \(columns) FROM sessions s \
            WHERE s.device = ? AND s.app = ? AND s.ended_at IS NULL \
            ORDER BY s.sequence DESC LIMIT 1
            """, [.text(instance.device), .text(instance.app)]
        ) { (session($0), Int($0.integer(15))) }
    }

    static func session(_ id: String, _ workspace: String, _ connection: Connection) throws
        -> Session?
    {
        try connection.row(
            "SELECT \(columns) FROM sessions s WHERE s.id = ? AND s.workspace = ?",
            [.text(id), .text(workspace)], session)
    }

    static func history(of id: String, _ workspace: String, _ connection: Connection) throws
        -> [SessionHistoryEntry]
    {
        try connection.rows(
            """
            SELECT m.at, m.kind, m.title, m.generation, m.exchange, \
            m.token \
            FROM sessions s JOIN session_moments m ON m.session = s.sequence \
            WHERE s.id = ? AND s.workspace = ? ORDER BY m.number
            """, [.text(id), .text(workspace)]
        ) { row in
            SessionHistoryEntry(
                at: row.date(0), kind: row.text(1), title: row.text(2),
                generation: Int(row.integer(3)), exchange: row.optionalText(4),
                tokenNumber: row.optionalInteger(5).map { Int($0) })
        }
    }

    /// Records a check's result if it is new and the device still has the session; returns whether
    /// the state changed.
    static func record(_ finding: SessionCheckResult, _ connection: Connection) throws -> Bool {
        let key: [Value] = [.text(finding.session), .text(finding.workspace)]
        let count = Value.integer(finding.discrepancyCount)
        try connection.run(
            """
            UPDATE sessions SET disagreements = ? \
            WHERE id = ? AND workspace = ? AND disagreements <> ?
            """, [count] + key + [count])
        guard let isRevoked = finding.isRevoked else { return false }
        let endedColumn = Value.text(isRevoked ? Session.State.revoked.rawValue : "")
        try connection.run(
            """
            UPDATE sessions SET ended = ? WHERE id = ? AND workspace = ? \
            AND ended_at IS NULL AND ended <> ?
            """, [endedColumn] + key + [endedColumn])
        return connection.changedRowCount > 0
    }

    /// A session as stored: one that has not ended is `active`, regardless of the clock.
    static func session(_ row: Row) -> Session {
        let claims = row.optionalText(14)
        return Session(
            id: row.text(0), workspace: row.text(1), app: row.text(2), device: row.text(3),
            backend: row.text(4), userID: row.optionalText(10), email: row.optionalText(11),
            state: Session.State(rawValue: row.text(5)) ?? .active, createdAt: row.date(6),
            refreshedAt: row.optionalDate(7), refreshCount: Int(row.integer(9)),
            endedAt: row.optionalDate(8),
            accessToken: row.optionalText(12).flatMap {
                Session.TokenSummary(storedJSON: $0, claims: claims)
            },
            refreshToken: row.optionalText(13).flatMap {
                Session.TokenSummary(storedJSON: $0, claims: nil)
            }, discrepancyCount: Int(row.integer(17)))
    }
}

extension Session {
    /// How it ended, on its device or as far as known at its server; empty while it is active.
    fileprivate var endedColumn: String {
        switch state {
        case .active, .expired: ""
        case .revoked, .signedOut: state.rawValue
        }
    }

    /// The session's state at `now`: an expired access token makes it `expired`.
    func withState(at now: Date) -> Session {
        guard endedAt == nil, state != .revoked else { return self }
        var current = self
        let isExpired = accessToken?.expiresAt.map { $0 <= now } ?? false
        current.state = isExpired ? .expired : .active
        return current
    }
}

/// An entry of a session's history.
package struct SessionHistoryEntry: Sendable, Equatable {
    package var at: Date
    /// `signedIn`, `refreshed`, `expiredManually`, `edited`, `restored`, `signedOut`, `revoked`; for
    /// a refresh test its kind and outcome: `concurrent.stored`, `replay.rejected`, `dropResponse.accepted` …
    package var kind: String
    /// A sentence without secrets.
    package var title: String
    /// The access token's generation after it, from 1; for a refresh test that of the refresh token
    /// it sent.
    package var generation: Int
    package var exchange: String?
    /// For a reuse test the number of the archived token it sent; nil for the device's current one.
    package var tokenNumber: Int?
}
