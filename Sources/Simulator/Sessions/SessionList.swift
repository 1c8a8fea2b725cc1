import FoundationEssentials
import SQLite

/// Reads pages of sessions by key, with totals.
enum SessionList {
    /// Under a filter the newest of so many that fit are counted, so that no
    /// page waits for a number.
    static let countLimit = 5_000

    static func page(
        _ query: SessionQuery, now: Date, countLimit: Int = countLimit, _ connection: Connection
    ) throws -> SessionPage {
        let filter = try SessionFilter(query, now: now, connection)
        let limit = max(1, min(query.limit, 500))
        let newer = query.after != nil
        var page = filter
        if let before = query.before { page.add("\(filter.pageKey) < ?", .integer(before)) }
        if let after = query.after { page.add("\(filter.pageKey) > ?", .integer(after)) }
        let order: StaticSQL = newer ? "ASC" : "DESC"
        var items = try connection.rows(
            """
            SELECT \(SessionTable.columns) FROM \(page.fromClause) \
            WHERE \(page.whereClause) ORDER BY \(page.pageKey) \(order) LIMIT ?
            """, page.bindings + [.integer(limit + 1)]
        ) { row in
            (sequence: row.integer(16), session: SessionTable.session(row).withState(at: now))
        }
        let more = items.count > limit
        if more { items.removeLast() }
        if newer { items.reverse() }
        let totals = try workspaceTotals(query.workspace, now: now, connection)
        var (fitting, isWhole) = try filteredTotals(query, now, totals, countLimit, connection)
        if let state = query.state, !isWhole {
            // Those of the state may be older than what was counted.
            fitting[state] = max(
                fitting[state] ?? 0, items.count,
                try count(filter, of: state, countLimit, connection))
        }
        let total = query.state.map { fitting[$0] ?? 0 }
        return SessionPage(
            items: items, total: total ?? fitting.values.reduce(0, +), workspaceTotals: totals,
            filteredTotals: fitting, hasOlder: newer ? true : more,
            hasNewer: newer ? more : query.before != nil, totalIsExact: isWhole)
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
    private static func workspaceTotals(_ workspace: String, now: Date, _ connection: Connection)
        throws
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
        guard filter.matchExpression == nil || !isTimed else { return 0 }
        let count = try connection.integer(
            """
            SELECT count(*) FROM (SELECT 1 FROM \(filter.fromClause) \
            WHERE \(filter.whereClause) ORDER BY \(filter.pageKey) DESC LIMIT ?)
            """, filter.bindings + [.integer(bound)])
        return Int(count ?? 0)
    }

    /// Those that fit whatever their state, by state, counted in one pass;
    /// whether these are all.
    private static func filteredTotals(
        _ query: SessionQuery, _ now: Date, _ totals: [Session.State: Int], _ bound: Int,
        _ connection: Connection
    ) throws -> ([Session.State: Int], isWhole: Bool) {
        var others = query
        others.state = nil
        guard others.isFiltered else { return (totals, true) }
        let filter = try SessionFilter(others, now: now, connection)
        let rows = try connection.rows(
            """
            SELECT ended, expires_at <= ?, count(*) FROM \
            (SELECT s.ended, s.expires_at FROM \(filter.fromClause) \
            WHERE \(filter.whereClause) ORDER BY \(filter.pageKey) DESC LIMIT ?) \
            GROUP BY 1, 2
            """, [.real(now.timeIntervalSince1970)] + filter.bindings + [.integer(bound)]
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
