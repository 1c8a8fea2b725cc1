package import Core
import FoundationEssentials
import SQLite

/// Reads pages of sessions by key, with totals.
enum SessionList {
    /// With a filter, at most this many matches are counted, the newest, to bound the query time.
    static let countLimit = 5_000

    static func page(
        _ query: SessionQuery, now: Date, countLimit: Int = countLimit, _ connection: Connection
    ) throws -> SessionPage {
        let filter = try SessionFilter(query, now: now, connection)
        let totals = try workspaceTotals(query.workspace, now: now, connection)
        var (totalsByState, isExact) = try filteredTotals(
            query, now, totals, countLimit, connection)
        var page = try connection.page(
            query.keyset, by: filter.pageKey, SessionTable.columns, from: filter.fromClause,
            where: filter.whereClause, filter.bindings, total: (0, isExact)
        ) { SessionTable.session($0).withState(at: now) }
        if let state = query.state, !isExact {
            // Sessions of this state may be older than the counted ones.
            totalsByState[state] = max(
                totalsByState[state] ?? 0, page.items.count,
                try count(filter, of: state, countLimit, connection))
        }
        page.total = query.state.map { totalsByState[$0] ?? 0 } ?? totalsByState.values.reduce(0, +)
        return SessionPage(page: page, workspaceTotals: totals, filteredTotals: totalsByState)
    }

    /// From totals that triggers maintain; only expired ones are counted, with an index of expiry.
    private static func workspaceTotals(_ workspace: String, now: Date, _ connection: Connection)
        throws -> [Session.State: Int]
    {
        let counts = try connection.rows(
            "SELECT ended, sessions FROM session_totals WHERE workspace = ?", [.text(workspace)]
        ) { ($0.text(0), Int($0.integer(1))) }
        let byEnd = Dictionary(counts, uniquingKeysWith: +)
        let expired = Int(
            try connection.integer(
                """
                SELECT count(*) FROM sessions WHERE workspace = ? \
                AND ended = '' AND expires_at <= ?
                """, [.text(workspace), .date(now)]) ?? 0)
        return [
            .active: (byEnd[""] ?? 0) - expired, .expired: expired,
            .revoked: byEnd[Session.State.revoked.rawValue] ?? 0,
            .signedOut: byEnd[Session.State.signedOut.rawValue] ?? 0,
        ]
    }

    /// Number of matches of `filter`, up to `limit`; 0 if each text match would have to be compared
    /// with the clock.
    private static func count(
        _ filter: SessionFilter, of state: Session.State, _ limit: Int, _ connection: Connection
    ) throws -> Int {
        let dependsOnClock = state == .active || state == .expired
        guard filter.matchExpression == nil || !dependsOnClock else { return 0 }
        let count = try connection.integer(
            """
            SELECT count(*) FROM (SELECT 1 FROM \(filter.fromClause) \
            WHERE \(filter.whereClause) ORDER BY \(filter.pageKey) DESC LIMIT ?)
            """, filter.bindings + [.integer(limit)])
        return Int(count ?? 0)
    }

    /// Matches of any state, by state, counted in one query; and whether the count is complete.
    private static func filteredTotals(
        _ query: SessionQuery, _ now: Date, _ totals: [Session.State: Int], _ limit: Int,
        _ connection: Connection
    ) throws -> ([Session.State: Int], isWhole: Bool) {
        var anyState = query
        anyState.state = nil
        guard anyState.isFiltered else { return (totals, true) }
        let filter = try SessionFilter(anyState, now: now, connection)
        let rows = try connection.rows(
            """
            SELECT ended, expires_at <= ?, count(*) FROM \
            (SELECT s.ended, s.expires_at FROM \(filter.fromClause) \
            WHERE \(filter.whereClause) ORDER BY \(filter.pageKey) DESC LIMIT ?) \
            GROUP BY 1, 2
            """, [.date(now)] + filter.bindings + [.integer(limit)]
        ) { row in
            (
                state: Session.State(rawValue: row.text(0))
                    ?? (row.optionalInteger(1) == 1 ? .expired : .active),
                count: Int(row.integer(2))
            )
        }
        let totalsByState = Dictionary(rows.map { ($0.state, $0.count) }, uniquingKeysWith: +)
        return (totalsByState, totalsByState.values.reduce(0, +) < limit)
    }
}

/// A page of sessions, with totals.
package struct SessionPage: Sendable {
    /// With a filter only the newest 5,000 are counted; the filtered totals are then not exact.
    package var page: KeysetPage<Session>
    /// All sessions of the workspace, by state.
    package var workspaceTotals: [Session.State: Int]
    /// Matches of the query without its state filter, by state.
    package var filteredTotals: [Session.State: Int]
}
