import FoundationEssentials
import SQLite

/// Reads pages of sessions by key, with totals.
enum SessionList {
    /// Under a filter the newest of so many that fit are counted, so that no
    /// page waits for a number.
    static let countBound = 5_000

    static func page(
        _ query: SessionQuery, now: Date, bound: Int = countBound, _ connection: Connection
    ) throws -> SessionPage {
        let filter = try SessionFilter(query, now: now, connection)
        let limit = max(1, min(query.limit, 500))
        let newer = query.after != nil
        var page = filter
        if let before = query.before { page.add("\(filter.key) < ?", .integer(before)) }
        if let after = query.after { page.add("\(filter.key) > ?", .integer(after)) }
        let order: StaticSQL = newer ? "ASC" : "DESC"
        var items = try connection.rows(
            """
            SELECT \(SessionTable.columns) FROM \(page.source) \
            WHERE \(page.sql) ORDER BY \(page.key) \(order) LIMIT ?
            """, page.bound + [.integer(limit + 1)]
        ) { row in (sequence: row.integer(16), session: SessionTable.session(row).judged(at: now)) }
        let more = items.count > limit
        if more { items.removeLast() }
        if newer { items.reverse() }
        let totals = try totals(query.workspace, now: now, connection)
        var (fitting, isWhole) = try fitting(query, now, totals, bound, connection)
        if let state = query.state, !isWhole {
            // Those of the state may be older than what was counted.
            fitting[state] = max(
                fitting[state] ?? 0, items.count, try count(filter, of: state, bound, connection))
        }
        let total = query.state.map { fitting[$0] ?? 0 }
        return SessionPage(
            items: items, total: total ?? fitting.values.reduce(0, +), totals: totals,
            fitting: fitting, hasOlder: newer ? true : more,
            hasNewer: newer ? more : query.before != nil, totalIsWhole: isWhole)
    }

    /// All of a workspace, as kept by triggers.
    static func count(_ workspace: String, _ connection: Connection) throws -> Int {
        Int(
            try connection.integer(
                "SELECT sum(sessions) FROM session_totals WHERE workspace = ?", [.text(workspace)])
                ?? 0)
    }

    /// Kept by triggers; only what the clock decides is counted, on an index
    /// of expiry.
    private static func totals(_ workspace: String, now: Date, _ connection: Connection) throws
        -> [Session.State: Int]
    {
        let kept = try connection.rows(
            "SELECT ended, sessions FROM session_totals WHERE workspace = ?", [.text(workspace)]
        ) { ($0.text(0), Int($0.integer(1))) }
        let byEnd = Dictionary(kept, uniquingKeysWith: +)
        let expired = Int(
            try connection.integer(
                """
                SELECT count(*) FROM sessions WHERE workspace = ? \
                AND ended = '' AND expires_at <= ?
                """, [.text(workspace), .real(now.timeIntervalSince1970)]) ?? 0)
        return [
            .active: (byEnd[""] ?? 0) - expired, .expired: expired,
            .revoked: byEnd[Session.State.revoked.rawValue] ?? 0,
            .signedOut: byEnd[Session.State.signedOut.rawValue] ?? 0,
        ]
    }

    /// Those that fit `filter`, at most as many as are counted; none where
    /// the clock would have to be asked about each that has the words.
    private static func count(
        _ filter: SessionFilter, of state: Session.State, _ bound: Int, _ connection: Connection
    ) throws -> Int {
        let isTimed = state == .active || state == .expired
        guard filter.match == nil || !isTimed else { return 0 }
        let count = try connection.integer(
            """
            SELECT count(*) FROM (SELECT 1 FROM \(filter.source) \
            WHERE \(filter.sql) ORDER BY \(filter.key) DESC LIMIT ?)
            """, filter.bound + [.integer(bound)])
        return Int(count ?? 0)
    }

    /// Those that fit whatever their state, by state, counted in one pass;
    /// whether these are all.
    private static func fitting(
        _ query: SessionQuery, _ now: Date, _ totals: [Session.State: Int], _ bound: Int,
        _ connection: Connection
    ) throws -> ([Session.State: Int], isWhole: Bool) {
        var others = query
        others.state = nil
        guard others.isNarrowed else { return (totals, true) }
        let filter = try SessionFilter(others, now: now, connection)
        let rows = try connection.rows(
            """
            SELECT ended, expires_at <= ?, count(*) FROM \
            (SELECT s.ended, s.expires_at FROM \(filter.source) \
            WHERE \(filter.sql) ORDER BY \(filter.key) DESC LIMIT ?) \
            GROUP BY 1, 2
            """, [.real(now.timeIntervalSince1970)] + filter.bound + [.integer(bound)]
        ) { row in
            (
                state: Session.State(rawValue: row.text(0))
                    ?? (row.optionalInteger(1) == 1 ? .expired : .active),
                count: Int(row.integer(2))
            )
        }
        let fitting = Dictionary(rows.map { ($0.state, $0.count) }, uniquingKeysWith: +)
        return (fitting, fitting.values.reduce(0, +) < bound)
    }
}
