package import Core
import FoundationEssentials
import SQLite
import Web

/// Reads pages of sessions by key, with totals.
enum SessionList {
    /// With a filter, at most this many matches are counted, the newest, to bound the query time:
    /// fewer if the workspace has more sessions than `manySessions`.
    static let countLimit = 5_000
    private static let lowCountLimit = 1_000
    private static let manySessions = 10_000
    /// Active sessions that are counted; if there are more, the expired ones are.
    private static let probeLimit = 2_000

    static func page(
        _ query: SessionQuery, now: Date, countLimit: Int = countLimit, _ connection: Connection
    ) throws -> SessionPage {
        let totals = try workspaceTotals(query.workspace, now: now, connection)
        let isLarge = totals.values.reduce(0, +) > manySessions
        let limit = isLarge ? min(countLimit, lowCountLimit) : countLimit
        let match = try SessionFilter.matchExpression(for: query.text, connection)
        var (totalsByState, isExact) = try filteredTotals(
            query, match, now, totals, limit, connection)
        var filter = SessionFilter(query, match, now: now)
        let count = query.state.map { totalsByState[$0] ?? 0 } ?? totalsByState.values.reduce(0, +)
        if isExact, count == 0 {
            filter.conditions.add("0")
        } else {
            try filter.narrow(to: query, now: now, stateCount: totals, connection)
        }
        var page = try connection.page(
            query.keyset, by: filter.pageKey, SessionTable.columns, from: filter.source,
            where: filter.conditions, total: (0, isExact)
        ) { SessionTable.session($0).withState(at: now) }
        if let state = query.state, !isExact {
            // Sessions of this state may be older than the counted ones. They are not counted if
            // each text match would have to be compared with the clock.
            let dependsOnClock = state == .active || state == .expired
            let count =
                filter.hasText && dependsOnClock
                ? 0
                : try connection.count(
                    """
                    SELECT count(*) FROM (SELECT 1 FROM \(filter.source) \
                    WHERE \(filter.conditions.sql) ORDER BY \(filter.pageKey) DESC LIMIT ?)
                    """, filter.conditions.values + [.integer(limit)])
            totalsByState[state] = max(totalsByState[state] ?? 0, page.items.count, count)
        }
        page.total = query.state.map { totalsByState[$0] ?? 0 } ?? totalsByState.values.reduce(0, +)
        return SessionPage(page: page, workspaceTotals: totals, filteredTotals: totalsByState)
    }

    /// From totals that triggers maintain; only active or expired ones are counted, with an index
    /// of expiry.
    private static func workspaceTotals(_ workspace: String, now: Date, _ connection: Connection)
        throws -> [Session.State: Int]
    {
        let counts = try connection.rows(
            "SELECT ended, sessions FROM session_totals WHERE workspace = ?", [.text(workspace)]
        ) { ($0.text(0), Int($0.integer(1))) }
        let byEnd = Dictionary(counts, uniquingKeysWith: +)
        let current = byEnd[""] ?? 0
        // There are usually few active sessions, or few expired ones.
        var active = try connection.count(
            "SELECT count(*) FROM (\(SessionFilter.activeSequences) LIMIT ?3)",
            [.text(workspace), .date(now), .integer(probeLimit)])
        if active == probeLimit {
            let expired = try connection.count(
                "SELECT count(*) FROM (\(SessionFilter.expiredSequences))",
                [.text(workspace), .date(now)])
            active = current - expired
        }
        return [
            .active: active, .expired: current - active,
            .revoked: byEnd[Session.State.revoked.rawValue] ?? 0,
            .signedOut: byEnd[Session.State.signedOut.rawValue] ?? 0,
        ]
    }

    /// Matches of any state, by state, counted in one query; and whether the count is complete.
    private static func filteredTotals(
        _ query: SessionQuery, _ match: String?, _ now: Date, _ totals: [Session.State: Int],
        _ limit: Int, _ connection: Connection
    ) throws -> ([Session.State: Int], isExact: Bool) {
        var anyState = query
        anyState.state = nil
        guard anyState.isFiltered else { return (totals, true) }
        let filter = SessionFilter(anyState, match, now: now)
        let rows = try connection.rows(
            """
            SELECT ended, expires_at <= ?, count(*) FROM \
            (SELECT s.ended, s.expires_at FROM \(filter.source) \
            WHERE \(filter.conditions.sql) ORDER BY \(filter.pageKey) DESC LIMIT ?) \
            GROUP BY 1, 2
            """, [.date(now)] + filter.conditions.values + [.integer(limit)]
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
    /// With a filter only the newest 5,000 are counted, or 1,000 if the workspace has many; the
    /// filtered totals are then not exact.
    package var page: KeysetPage<Session>
    /// All sessions of the workspace, by state.
    package var workspaceTotals: [Session.State: Int]
    /// Matches of the query without its state filter, by state.
    package var filteredTotals: [Session.State: Int]
}

/// A session query as SQL conditions.
///
/// With a search text the FTS index drives the query and joins the sessions; filters are then
/// indexed terms too, so that FTS5 applies them together with the text.
struct SessionFilter {
    var conditions: Conditions = [:]
    /// Whether it has search words.
    let hasText: Bool

    /// The FTS5 query for the words of `text`, each searched as a prefix; nil without a word.
    static func matchExpression(for text: String?, _ connection: Connection) throws -> String? {
        let terms = (text ?? "").split { !$0.isLetter && !$0.isNumber }.prefix(12)
        guard !terms.isEmpty else { return nil }
        return try FTSTermIndex.matchExpression(
            for: Array(terms), in: "session_terms", connection)
    }

    /// `match` is the query's `matchExpression`.
    init(_ query: SessionQuery, _ match: String?, now: Date) {
        let facets: [(letter: Character, column: StaticSQL, value: String?)] = [
            ("w", "s.workspace", query.workspace), ("a", "s.app", query.app),
            ("b", "s.backend", query.backend), ("d", "s.device", query.device),
            ("e", "s.ended", query.state?.endedColumn),
        ]
        hasText = match != nil
        if let match {
            let text = "{user_id email label claims} : (\(match))"
            let matchExpression = facets.reduce(into: text) { text, facet in
                guard let value = facet.value else { return }
                // In the format of SQLite's `hex()`.
                text += " AND facets : \"\(facet.letter)\(Hex.encode(value.utf8).uppercased())\""
            }
            conditions.add("w.session_words MATCH ?", .text(matchExpression))
        } else {
            for (letter, column, value) in facets {
                // Few sessions are out of sync, and their index drives the query; a plus disables
                // the other indexes.
                let prefix: StaticSQL = query.isOutOfSync && letter != "w" ? "+" : ""
                conditions.add("\(prefix)\(column) = ?", .text(value))
            }
        }
        // A text of symbols only matches no session.
        if query.text?.isSymbolsOnly == true { conditions.add("0") }
        if query.isOutOfSync { conditions.add("s.disagreements > 0") }
        // Without the plus SQLite uses the index of expiry and sorts the result: the list is
        // already in the order of its key.
        let seconds = Value.date(now)
        switch query.state {
        case .active: conditions.add("(+s.expires_at IS NULL OR +s.expires_at > ?)", seconds)
        case .expired: conditions.add("+s.expires_at <= ?", seconds)
        case .revoked, .signedOut, nil: break
        }
    }

    /// The sequences of the active or expired sessions of the workspace bound as the first value, at
    /// the time bound as the second.
    static let activeSequences: StaticSQL = """
        SELECT sequence FROM sessions INDEXED BY sessions_by_expiry \
        WHERE workspace = ?1 AND ended = '' AND expires_at > ?2 UNION ALL \
        SELECT sequence FROM sessions INDEXED BY sessions_by_expiry \
        WHERE workspace = ?1 AND ended = '' AND expires_at IS NULL
        """
    static let expiredSequences: StaticSQL = """
        SELECT sequence FROM sessions INDEXED BY sessions_by_expiry \
        WHERE workspace = ?1 AND ended = '' AND expires_at <= ?2
        """

    /// Restricts the filter to the sequences of the sessions in the query's state if there are few,
    /// so that a page does not read all others. Only states that depend on the clock need it.
    mutating func narrow(
        to query: SessionQuery, now: Date, stateCount: [Session.State: Int],
        _ connection: Connection
    ) throws {
        let rows: StaticSQL
        switch query.state {
        case .active: rows = Self.activeSequences
        case .expired: rows = Self.expiredSequences
        case .revoked, .signedOut, nil: return
        }
        guard let state = query.state, stateCount[state] ?? 0 <= Self.fewSessions else { return }
        let sequences = try connection.rows(rows, [.text(query.workspace), .date(now)]) {
            $0.integer(0)
        }
        guard let first = sequences.min(), let last = sequences.max() else {
            conditions.add("0")
            return
        }
        conditions.add("\(pageKey) BETWEEN ? AND ?", .integer(first), .integer(last))
        let list = "[" + sequences.map(String.init).joined(separator: ",") + "]"
        let key: StaticSQL = hasText ? "+w.rowid" : "s.sequence"
        conditions.add("\(key) IN (SELECT value FROM json_each(?))", .text(list))
    }

    private static let fewSessions = 1_000

    /// `CROSS JOIN` prevents SQLite from reordering the tables.
    var source: StaticSQL {
        hasText ? "session_words w CROSS JOIN sessions s ON s.sequence = w.rowid" : "sessions s"
    }

    /// The page key, in the driving table.
    var pageKey: StaticSQL { hasText ? "w.rowid" : "s.sequence" }
}

/// Which sessions to list, newest first.
package struct SessionQuery: Sendable {
    package var workspace: String
    package var app: String?
    package var device: String?
    package var backend: String?
    package var state: Session.State?
    /// Only sessions with discrepancies at the last check.
    package var isOutOfSync: Bool = false
    /// Words searched in user, e-mail, device label and claims.
    package var text: String?
    package var keyset = Keyset()

    /// Whether it filters by more than the state.
    var isFiltered: Bool {
        isOutOfSync || app != nil || device != nil || backend != nil || text != nil
    }

    package init(workspace: String) { self.workspace = workspace }
}
