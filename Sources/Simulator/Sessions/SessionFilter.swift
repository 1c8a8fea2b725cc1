import FoundationEssentials
import SQLite

/// A session query's conditions as SQL and bound values.
struct SessionFilter {
    private(set) var conditions: [StaticSQL] = []
    private(set) var values: [Value] = []
    /// What FTS5 is asked for; nil without a text.
    private(set) var match: String?

    init(_ query: SessionQuery, now: Date) {
        add("s.workspace = ?", .text(query.workspace))
        if let device = query.device { add("s.device = ?", .text(device)) }
        if let app = query.app { add("s.app = ?", .text(app)) }
        if let backend = query.backend { add("s.backend = ?", .text(backend)) }
        let now = now.timeIntervalSince1970
        switch query.state {
        case nil: break
        case .active:
            add("s.ended = ?", .text(""))
            add("(s.expires_at IS NULL OR s.expires_at > ?)", .real(now))
        case .expired:
            add("s.ended = ?", .text(""))
            add("s.expires_at <= ?", .real(now))
        case .revoked, .signedOut:
            add("s.ended = ?", .text(query.state?.rawValue))
        }
        match = query.text.flatMap(Self.match)
    }

    mutating func add(_ condition: StaticSQL, _ value: Value) {
        conditions.append(condition)
        values.append(value)
    }

    /// Where to look and what for. With a text the index of words leads and
    /// the sessions follow: `CROSS JOIN` keeps SQLite from turning it round.
    var source: StaticSQL {
        match == nil
            ? "sessions s"
            : "session_words w CROSS JOIN sessions s ON s.sequence = w.rowid"
    }

    var sql: StaticSQL {
        let all: [StaticSQL] =
            match == nil ? conditions : ["w.session_words MATCH ?"] + conditions
        return .joined(all, separator: " AND ")
    }

    var bound: [Value] { (match.map { [.text($0)] } ?? []) + values }

    /// The key of pages, in the table that leads.
    var key: StaticSQL { match == nil ? "s.sequence" : "w.rowid" }

    /// Words as FTS5 understands them: each quoted, each a beginning.
    private static func match(_ text: String) -> String? {
        let words = text.split { !$0.isLetter && !$0.isNumber }.prefix(12)
        guard !words.isEmpty else { return nil }
        return words.map { "\"\($0)\"*" }.joined(separator: " ")
    }
}
