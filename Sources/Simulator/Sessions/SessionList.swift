package import Core
import FoundationEssentials
import SQLite
import Web

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
                    """, filter.conditions.values + [.integer(countLimit)])
            totalsByState[state] = max(totalsByState[state] ?? 0, page.items.count, count)
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
        let expired = try connection.count(
            """
            SELECT count(*) FROM sessions WHERE workspace = ? \
            AND ended = '' AND expires_at <= ?
            """, [.text(workspace), .date(now)])
        return [
            .active: (byEnd[""] ?? 0) - expired, .expired: expired,
            .revoked: byEnd[Session.State.revoked.rawValue] ?? 0,
            .signedOut: byEnd[Session.State.signedOut.rawValue] ?? 0,
        ]
    }

    /// Matches of any state, by state, counted in one query; and whether the count is complete.
    private static func filteredTotals(
        _ query: SessionQuery, _ now: Date, _ totals: [Session.State: Int], _ limit: Int,
        _ connection: Connection
    ) throws -> ([Session.State: Int], isExact: Bool) {
        var anyState = query
        anyState.state = nil
        guard anyState.isFiltered else { return (totals, true) }
        let filter = try SessionFilter(anyState, now: now, connection)
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
    /// With a filter only the newest 5,000 are counted; the filtered totals are then not exact.
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
    private(set) var conditions: Conditions = [:]
    /// Whether it has search words.
    let hasText: Bool

    init(_ query: SessionQuery, now: Date, _ connection: Connection) throws {
        // Each word is searched as a prefix.
        let terms = Array((query.text ?? "").split { !$0.isLetter && !$0.isNumber }.prefix(12))
        let facets: [(letter: Character, column: StaticSQL, value: String?)] = [
            ("w", "s.workspace", query.workspace), ("a", "s.app", query.app),
            ("b", "s.backend", query.backend), ("d", "s.device", query.device),
            ("e", "s.ended", query.state?.endedColumn),
        ]
        hasText = !terms.isEmpty
        if terms.isEmpty {
            for (letter, column, value) in facets {
                // Few sessions are out of sync, and their index drives the query; a plus disables
                // the other indexes.
                let prefix: StaticSQL = query.isOutOfSync && letter != "w" ? "+" : ""
                conditions.add("\(prefix)\(column) = ?", .text(value))
            }
        } else {
            let text =
                "{user_id email label claims} : ("
                + (try FTSTermIndex.matchExpression(for: terms, in: "session_terms", connection))
                + ")"
            let matchExpression = facets.reduce(into: text) { text, facet in
                guard let value = facet.value else { return }
                // In the format of SQLite's `hex()`.
                text += " AND facets : \"\(facet.letter)\(Hex.encode(value.utf8).uppercased())\""
            }
            conditions.add("w.session_words MATCH ?", .text(matchExpression))
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
