import FoundationEssentials
import SQLite
import Web

/// A session query's conditions as SQL and bound values.
///
/// With a text the index of words leads and the sessions follow; what narrows
/// the list is then a word like another, so that FTS5 finds both at once.
struct SessionFilter {
    private(set) var conditions: [StaticSQL] = []
    private(set) var values: [Value] = []
    /// What FTS5 is asked for; nil without a text.
    let matchExpression: String?

    private static let termIndex = FTSTermIndex(table: "session_terms", indexedPrefixLength: 6)

    init(_ query: SessionQuery, now: Date, _ connection: Connection) throws {
        let words = query.text.map(Self.searchTerms) ?? []
        let ended: String? =
            switch query.state {
            case nil: nil
            case .active, .expired: ""
            case .revoked, .signedOut: query.state?.rawValue
            }
        if words.isEmpty {
            matchExpression = nil
            add("s.workspace = ?", .text(query.workspace))
            // Of those that disagree there are few, and an index of them
            // leads; a plus keeps the others away.
            let few = query.isOutOfSync
            if let app = query.app { add(few ? "+s.app = ?" : "s.app = ?", .text(app)) }
            if let backend = query.backend {
                add(few ? "+s.backend = ?" : "s.backend = ?", .text(backend))
            }
            if let device = query.device {
                add(few ? "+s.device = ?" : "s.device = ?", .text(device))
            }
            if let ended { add(few ? "+s.ended = ?" : "s.ended = ?", .text(ended)) }
        } else {
            let facets: [(Character, String?)] = [
                ("w", query.workspace), ("a", query.app), ("b", query.backend), ("d", query.device),
                ("e", ended),
            ]
            let text =
                "{user_id email label claims} : ("
                + (try Self.termIndex.makeMatchExpression(words, connection))
                + ")"
            matchExpression = facets.reduce(into: text) { text, facet in
                guard let value = facet.1 else { return }
                text += " AND facets : \"\(facet.0)\(Self.hex(value))\""
            }
        }
        // No session has a word without letters.
        if query.text?.isSymbolsOnly == true { add("0") }
        if query.isOutOfSync { add("s.disagreements > 0") }
        // A plus, or SQLite would take the index of expiry and sort what it
        // found: the list is in the order of its key already.
        let seconds = Value.real(now.timeIntervalSince1970)
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

    /// Where to look: `CROSS JOIN` keeps SQLite from turning it round.
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

    /// The key of pages, in the table that leads.
    var pageKey: StaticSQL { matchExpression == nil ? "s.sequence" : "w.rowid" }

    /// A text's words; each is looked for as the beginning of one.
    private static func searchTerms(_ text: String) -> [Substring] {
        Array(text.split { !$0.isLetter && !$0.isNumber }.prefix(12))
    }

    /// As SQLite's `hex()` writes it.
    private static func hex(_ text: String) -> String {
        text.utf8.reduce(into: "") { out, byte in
            let digits = String(byte, radix: 16, uppercase: true)
            out += digits.count < 2 ? "0" + digits : digits
        }
    }
}
