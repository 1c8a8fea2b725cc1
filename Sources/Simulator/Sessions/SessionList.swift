import FoundationEssentials
import SQLite

/// Reads pages of sessions by key, with totals.
enum SessionList {
    /// Under a search no more than this many are counted.
    static let countBound = 5_000

    static func page(
        _ query: SessionQuery, now: Date, _ connection: Connection
    ) throws -> SessionPage {
        let filter = SessionFilter(query, now: now)
        let limit = max(1, min(query.limit, 500))
        let newer = query.after != nil
        var page = filter
        if let before = query.before {
            page.add("\(filter.key) < ?", .integer(before))
        }
        if let after = query.after {
            page.add("\(filter.key) > ?", .integer(after))
        }
        let order: StaticSQL = newer ? "ASC" : "DESC"
        var items = try connection.rows(
            """
            SELECT \(SessionTable.columns) FROM \(page.source) \
            WHERE \(page.sql) ORDER BY \(page.key) \(order) LIMIT ?
            """, page.bound + [.integer(limit + 1)]
        ) { row in
            (
                sequence: row.integer(16),
                session: SessionTable.session(row).judged(at: now)
            )
        }
        let more = items.count > limit
        if more { items.removeLast() }
        if newer { items.reverse() }
        let totals = try totals(query.workspace, now: now, connection)
        let (total, isWhole) = try total(query, filter, totals, connection)
        return SessionPage(
            items: items, total: total, totals: totals,
            hasOlder: newer ? true : more,
            hasNewer: newer ? more : query.before != nil,
            totalIsWhole: isWhole)
    }

    /// All of a workspace, as kept by triggers.
    static func count(
        _ workspace: String, _ connection: Connection
    ) throws -> Int {
        Int(
            try connection.integer(
                "SELECT sum(sessions) FROM session_totals WHERE workspace = ?",
                [.text(workspace)]) ?? 0)
    }

    /// Kept by triggers; only what the clock decides is counted, on an index
    /// of expiry.
    private static func totals(
        _ workspace: String, now: Date, _ connection: Connection
    ) throws -> [Session.State: Int] {
        let kept = try connection.rows(
            "SELECT ended, sessions FROM session_totals WHERE workspace = ?",
            [.text(workspace)]
        ) { ($0.text(0), Int($0.integer(1))) }
        let byEnd = Dictionary(kept, uniquingKeysWith: +)
        let expired = Int(
            try connection.integer(
                """
                SELECT count(*) FROM sessions WHERE workspace = ? \
                AND ended = '' AND expires_at <= ?
                """,
                [.text(workspace), .real(now.timeIntervalSince1970)]) ?? 0)
        return [
            .active: (byEnd[""] ?? 0) - expired,
            .expired: expired,
            .revoked: byEnd[Session.State.revoked.rawValue] ?? 0,
            .signedOut: byEnd[Session.State.signedOut.rawValue] ?? 0,
        ]
    }

    private static func total(
        _ query: SessionQuery, _ filter: SessionFilter,
        _ totals: [Session.State: Int], _ connection: Connection
    ) throws -> (Int, isWhole: Bool) {
        let isNarrowed =
            query.disagreeing || query.app != nil || query.device != nil || query.backend != nil
            || filter.match != nil
        guard isNarrowed else {
            guard let state = query.state else {
                return (totals.values.reduce(0, +), true)
            }
            return (totals[state] ?? 0, true)
        }
        let bound = filter.match == nil ? Int.max : countBound
        let count = try connection.integer(
            """
            SELECT count(*) FROM (SELECT 1 FROM \(filter.countSource) \
            WHERE \(filter.sql) LIMIT ?)
            """, filter.bound + [.integer(bound)])
        return (Int(count ?? 0), Int(count ?? 0) < bound)
    }
}
