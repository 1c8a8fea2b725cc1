import FoundationEssentials
import SQLite
import Web

/// A query's conditions as SQL and bound values.
struct ExchangeFilter {
    private var conditions: StaticSQL = "e.workspace = ?"
    private var values: [Value]
    /// What FTS5 is asked for; nil without words.
    private var matchExpression: String?
    /// Whether nothing narrows the workspace.
    private(set) var isWorkspaceOnly = true
    /// What narrows it besides words.
    private var filterCount = 0

    private var isTextOnly: Bool { filterCount == 0 }

    private static let termIndex = FTSTermIndex(table: "exchange_terms", indexedPrefixLength: 6)

    init(_ query: ExchangeQuery, _ connection: Connection) throws {
        values = [.text(query.workspace)]
        narrow("e.app = ?", query.app)
        narrow("e.device = ?", query.device)
        narrow("e.call = ?", query.call)
        if let cause = query.cause {
            narrow("e.cause = ?", .text(cause.rawValue))
            // As the partial index has it, so that it is found.
            if cause != .submit { conditions = "\(conditions) AND e.cause <> 'submit'" }
        }
        if let carries = query.hasToken {
            if carries { narrow("e.tokens <> '[]'") } else { narrow("e.tokens = '[]'") }
        }
        narrow("+e.started_at >= ?", query.from)
        narrow("+e.started_at <= ?", query.until)
        switch query.status {
        case nil: break
        case .exact(let status): narrow("e.status + 0 = ?", .integer(status))
        case .statusClass(let hundreds): narrow("e.status / 100 = ?", .integer(hundreds))
        case .noResponse: narrow("e.failure_kind IS NOT NULL")
        case .httpError:
            // As the partial index has it, so that it is found.
            narrow("e.status >= 400")
        }
        // As the partial index has it.
        if query.onlyFaulted { narrow("e.condition IS NOT NULL") }
        // No exchange has a word without letters.
        if query.text?.isSymbolsOnly == true { narrow("0") }
        let words = (query.text ?? "").split { !$0.isLetter && !$0.isNumber }
        guard !words.isEmpty else { return }
        matchExpression = try Self.termIndex.makeMatchExpression(words, connection)
        isWorkspaceOnly = false
        // A workspace of today is not looked for in the words of yesterday.
        let oldest = try connection.integer(
            "SELECT min(sequence) FROM exchanges WHERE workspace = ?", [.text(query.workspace)])
        add("w.rowid >= ?", .integer(oldest ?? .max))
    }

    /// Whether several things narrow it: an index leads by one of them, and
    /// for the others the exchanges are read.
    var hasMultipleFilters: Bool { filterCount + (matchExpression == nil ? 0 : 1) > 1 }

    /// Where to look. With words their index leads and the exchanges follow:
    /// `CROSS JOIN` keeps SQLite from turning it round.
    var source: StaticSQL {
        matchExpression == nil
            ? "exchanges e" : "exchange_words w CROSS JOIN exchanges e ON e.sequence = w.rowid"
    }

    var whereClause: StaticSQL {
        matchExpression == nil ? conditions : "w.exchange_words MATCH ? AND \(conditions)"
    }

    /// Counts what fits, at most as many as the last bound value, in the
    /// list's order so that the list's indexes are taken. Words in a
    /// whole workspace are counted without looking at a single exchange.
    var countQuery: StaticSQL {
        guard matchExpression != nil, isTextOnly else {
            return """
                SELECT count(*) FROM (SELECT 1 FROM \(source) \
                WHERE \(whereClause) ORDER BY \(pageKey) DESC LIMIT ?)
                """
        }
        return """
            SELECT count(*) FROM (SELECT 1 FROM exchange_words w \
            WHERE w.exchange_words MATCH ? AND EXISTS (SELECT 1 FROM \
            exchanges e INDEXED BY exchanges_workspace \
            WHERE e.workspace = ? AND e.sequence = w.rowid) \
            AND w.rowid >= ? LIMIT ?)
            """
    }

    var boundValues: [Value] { (matchExpression.map { [.text($0)] } ?? []) + values }

    /// The key of pages, in the table that leads.
    var pageKey: StaticSQL { matchExpression == nil ? "e.sequence" : "w.rowid" }

    mutating func add(_ condition: StaticSQL, _ value: Value) {
        conditions = "\(conditions) AND \(condition)"
        values.append(value)
    }

    private mutating func narrow(_ condition: StaticSQL, _ value: Value? = nil) {
        conditions = "\(conditions) AND \(condition)"
        if let value { values.append(value) }
        isWorkspaceOnly = false
        filterCount += 1
    }

    private mutating func narrow(_ condition: StaticSQL, _ value: String?) {
        if let value { narrow(condition, .text(value)) }
    }

    private mutating func narrow(_ condition: StaticSQL, _ value: Date?) {
        guard let value else { return }
        narrow(condition, .real(value.timeIntervalSince1970))
    }
}
