package import Core
import FoundationEssentials
import SQLite
import Web

/// A session query as SQL conditions and bound values.
///
/// With a search text the FTS index drives the query and joins the sessions; filters are then
/// indexed terms too, so that FTS5 applies them together with the text.
struct SessionFilter {
    private(set) var conditions: [StaticSQL] = []
    private(set) var values: [Value] = []
    /// The FTS5 match expression; nil without a text.
    let matchExpression: String?

    private static let termIndex = FTSTermIndex(table: "session_terms", indexedPrefixLength: 6)

    init(_ query: SessionQuery, now: Date, _ connection: Connection) throws {
        let terms = query.text.map(Self.searchTerms) ?? []
        let ended = query.state?.endedColumn
        if terms.isEmpty {
            matchExpression = nil
            add("s.workspace = ?", .text(query.workspace))
            // Few sessions are out of sync, and their index drives the query; a plus disables the
            // other indexes.
            let prefix: StaticSQL = query.isOutOfSync ? "+" : ""
            let filters: [(column: StaticSQL, value: String?)] = [
                ("s.app", query.app), ("s.backend", query.backend), ("s.device", query.device),
                ("s.ended", ended),
            ]
            for (column, value) in filters where value != nil {
                add("\(prefix)\(column) = ?", .text(value))
            }
        } else {
            let facets: [(Character, String?)] = [
                ("w", query.workspace), ("a", query.app), ("b", query.backend), ("d", query.device),
                ("e", ended),
            ]
            let text =
                "{user_id email label claims} : ("
                + (try Self.termIndex.makeMatchExpression(terms, connection)) + ")"
            matchExpression = facets.reduce(into: text) { text, facet in
                guard let value = facet.1 else { return }
                text += " AND facets : \"\(facet.0)\(Self.hex(value))\""
            }
        }
        // A text of symbols only matches no session.
        if query.text?.isSymbolsOnly == true { add("0") }
        if query.isOutOfSync { add("s.disagreements > 0") }
        // Without the plus SQLite uses the index of expiry and sorts the result: the list is
        // already in the order of its key.
        let seconds = Value.date(now)
        switch query.state {
        case .active: add("(+s.expires_at IS NULL OR +s.expires_at > ?)", seconds)
        case .expired: add("+s.expires_at <= ?", seconds)
        case .revoked, .signedOut, nil: break
        }
    }

    mutating func add(_ condition: StaticSQL) { conditions.append(condition) }

    mutating func add(_ condition: StaticSQL, _ value: Value) {
        conditions.append(condition)
        values.append(value)
    }

    /// `CROSS JOIN` prevents SQLite from reordering the tables.
    var fromClause: StaticSQL {
        matchExpression == nil
            ? "sessions s" : "session_words w CROSS JOIN sessions s ON s.sequence = w.rowid"
    }

    var whereClause: StaticSQL {
        let all: [StaticSQL] =
            matchExpression == nil ? conditions : ["w.session_words MATCH ?"] + conditions
        return .joined(all, separator: " AND ")
    }

    var bindings: [Value] { (matchExpression.map { [.text($0)] } ?? []) + values }

    /// The page key, in the driving table.
    var pageKey: StaticSQL { matchExpression == nil ? "s.sequence" : "w.rowid" }

    /// The words of a text; each is searched as a prefix.
    private static func searchTerms(_ text: String) -> [Substring] {
        Array(text.split { !$0.isLetter && !$0.isNumber }.prefix(12))
    }

    /// In the format of SQLite's `hex()`.
    private static func hex(_ text: String) -> String { Hex.encode(text.utf8).uppercased() }
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
