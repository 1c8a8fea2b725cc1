package import Core
package import FoundationEssentials
import SQLite
import Web

/// Filters and paging for a list of exchanges.
package struct ExchangeQuery: Sendable {
    package var workspace: String
    package var app: String?
    package var device: String?
    package var call: String?
    package var cause: ExchangeContext.Cause?
    package var status: StatusFilter?
    /// Only exchanges that a fault affected.
    package var onlyFaulted: Bool = false
    /// Whether the request or the response contained a token.
    package var hasToken: Bool?
    /// Words to search for in URLs and bodies.
    package var text: String?
    /// Only exchanges sent at this time or later.
    package var from: Date?
    /// Only exchanges sent at this time or earlier.
    package var until: Date?
    package var keyset = Keyset()

    package init(workspace: String) { self.workspace = workspace }

    package enum StatusFilter: Sendable, Equatable {
        case exact(Int)
        /// The first digit: 2, 3, 4 or 5.
        case statusClass(Int)
        case noResponse
        /// 400 and above.
        case httpError
    }
}

/// An `ExchangeQuery` as SQL conditions and bound values.
struct ExchangeFilter {
    private var conditions: StaticSQL = "e.workspace = ?"
    private var values: [Value]
    /// The FTS5 MATCH expression; nil without search words.
    private var matchExpression: String?
    /// Whether the workspace is the only condition.
    private(set) var isWorkspaceOnly = true
    /// The number of filters besides the search words.
    private var filterCount = 0

    init(_ query: ExchangeQuery, _ connection: Connection) throws {
        values = [.text(query.workspace)]
        narrow("e.app = ?", query.app.map(Value.text))
        narrow("e.device = ?", query.device.map(Value.text))
        narrow("e.call = ?", query.call.map(Value.text))
        if let cause = query.cause {
            narrow("e.cause = ?", .text(cause.rawValue))
            // Repeats the partial index's condition so that SQLite uses that index.
            if cause != .submit { conditions = "\(conditions) AND e.cause <> 'submit'" }
        }
        if let hasToken = query.hasToken {
            if hasToken { narrow("e.tokens <> '[]'") } else { narrow("e.tokens = '[]'") }
        }
        narrow("+e.started_at >= ?", query.from.map(Value.date))
        narrow("+e.started_at <= ?", query.until.map(Value.date))
        switch query.status {
        case nil: break
        case .exact(let status): narrow("e.status + 0 = ?", .integer(status))
        case .statusClass(let hundreds): narrow("e.status / 100 = ?", .integer(hundreds))
        case .noResponse: narrow("e.failure_kind IS NOT NULL")
        case .httpError:
            // Repeats the partial index's condition so that SQLite uses that index.
            narrow("e.status >= 400")
        }
        // Repeats the partial index's condition.
        if query.onlyFaulted { narrow("e.condition IS NOT NULL") }
        // Only letters and digits are indexed: a text of symbols matches no exchange.
        if query.text?.isSymbolsOnly == true { narrow("0") }
        let words = (query.text ?? "").split { !$0.isLetter && !$0.isNumber }
        guard !words.isEmpty else { return }
        matchExpression = try FTSTermIndex.matchExpression(
            for: words, in: "exchange_terms", connection)
        isWorkspaceOnly = false
        // Skips index entries older than the workspace's first exchange.
        let oldest = try connection.integer(
            "SELECT min(sequence) FROM exchanges WHERE workspace = ?", [.text(query.workspace)])
        add("w.rowid >= ?", .integer(oldest ?? .max))
    }

    /// Whether several filters apply: an index serves only one of them, and the others have to read
    /// the exchanges.
    var hasMultipleFilters: Bool { filterCount + (matchExpression == nil ? 0 : 1) > 1 }

    /// The FROM clause. With search words, the word index is the outer table: `CROSS JOIN` keeps
    /// SQLite from reordering the join.
    var source: StaticSQL {
        matchExpression == nil
            ? "exchanges e" : "exchange_words w CROSS JOIN exchanges e ON e.sequence = w.rowid"
    }

    var whereClause: StaticSQL {
        matchExpression == nil ? conditions : "w.exchange_words MATCH ? AND \(conditions)"
    }

    /// Counts the matches up to the last bound value, in list order so that SQLite uses the list's
    /// indexes. Search words without other filters are counted without reading any exchange row.
    var countQuery: StaticSQL {
        guard matchExpression != nil, filterCount == 0 else {
            return """
                SELECT count(*) FROM (SELECT 1 FROM \(source) \
                WHERE \(whereClause) ORDER BY \(pageKey) DESC LIMIT ?)
                """
        }
        return """
            SELECT count(*) FROM (SELECT 1 FROM exchange_words w WHERE w.exchange_words MATCH ? \
            AND EXISTS (SELECT 1 FROM exchanges e INDEXED BY exchanges_workspace WHERE e.workspace \
            = ? AND e.sequence = w.rowid) AND w.rowid >= ? LIMIT ?)
            """
    }

    var boundValues: [Value] { (matchExpression.map { [.text($0)] } ?? []) + values }

    /// The paging key, as a column of the outer table.
    var pageKey: StaticSQL { matchExpression == nil ? "e.sequence" : "w.rowid" }

    mutating func add(_ condition: StaticSQL, _ value: Value) {
        conditions = "\(conditions) AND \(condition)"
        values.append(value)
    }

    private mutating func narrow(_ condition: StaticSQL) {
        conditions = "\(conditions) AND \(condition)"
        isWorkspaceOnly = false
        filterCount += 1
    }

    /// Does nothing without a value.
    private mutating func narrow(_ condition: StaticSQL, _ value: Value?) {
        guard let value else { return }
        narrow(condition)
        values.append(value)
    }
}
