import FoundationEssentials
import SQLite

/// A query's conditions as SQL and bound values.
struct ExchangeFilter {
    private(set) var sql: StaticSQL = "e.workspace = ?"
    private(set) var values: [Value]
    /// Whether nothing narrows the workspace.
    private(set) var isWorkspaceOnly = true

    init(_ query: ExchangeQuery) {
        values = [.text(query.workspace)]
        narrow("e.app = ?", query.app)
        narrow("e.device = ?", query.device)
        narrow("e.call = ?", query.call)
        narrow("e.cause = ?", query.cause?.rawValue)
        narrow("e.started_at >= ?", query.from)
        narrow("e.started_at <= ?", query.until)
        switch query.status {
        case nil: break
        case .exact(let status):
            narrow("e.status = ?", .integer(status))
        case .family(let hundreds):
            narrow("e.status >= ?", .integer(hundreds * 100))
            narrow("e.status < ?", .integer(hundreds * 100 + 100))
        case .noAnswer:
            narrow("e.failure_kind IS NOT NULL")
        case .refused:
            narrow("e.status >= ?", .integer(400))
        }
        if let match = query.text.flatMap(Self.match) {
            narrow(
                """
                e.sequence IN (SELECT rowid FROM exchange_words \
                WHERE exchange_words MATCH ?)
                """, .text(match))
        }
    }

    mutating func add(_ condition: StaticSQL, _ value: Value) {
        sql = "\(sql) AND \(condition)"
        values.append(value)
    }

    private mutating func narrow(_ condition: StaticSQL, _ value: Value? = nil) {
        sql = "\(sql) AND \(condition)"
        if let value { values.append(value) }
        isWorkspaceOnly = false
    }

    private mutating func narrow(_ condition: StaticSQL, _ value: String?) {
        if let value { narrow(condition, .text(value)) }
    }

    private mutating func narrow(_ condition: StaticSQL, _ value: Date?) {
        guard let value else { return }
        narrow(condition, .real(value.timeIntervalSince1970))
    }

    /// Words as FTS5 understands them: each quoted, the last a prefix.
    private static func match(_ text: String) -> String? {
        let words = text.split { !$0.isLetter && !$0.isNumber }
        guard !words.isEmpty else { return nil }
        return words.map { "\"\($0)\"*" }.joined(separator: " ")
    }
}
