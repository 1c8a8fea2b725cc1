package import Core
package import FoundationEssentials
import SQLite
import Web

/// Filters and paging for a list of exchanges.
package struct ExchangeQuery: Sendable, Equatable {
    package var workspace: String
    package var app: String?
    package var device: String?
    package var call: String?
    package var cause: ExchangeContext.Cause?
    package var status: StatusFilter?
    /// Only exchanges that a fault affected.
    package var onlyFaulted: Bool = false
    /// Only exchanges that a rule matched.
    package var onlyRuled = false
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

    /// Whether any filter besides the workspace applies.
    var isFiltered: Bool {
        var plain = ExchangeQuery(workspace: workspace)
        plain.keyset = keyset
        return self != plain
    }

    /// The responses that match.
    package enum StatusFilter: Sendable, Equatable {
        case exact(Int)
        /// The first digit: 2, 3, 4 or 5.
        case statusClass(Int)
        case noResponse
        /// 400 and above.
        case httpError
    }
}

/// An `ExchangeQuery` as SQL conditions.
struct ExchangeFilter {
    var conditions: Conditions
    private let hasText: Bool
    /// The number of filters besides the workspace and the search words.
    private let filterCount: Int

    init(_ query: ExchangeQuery, _ connection: Connection) throws {
        let workspace = Value.text(query.workspace)
        let words = (query.text ?? "").split { !$0.isLetter && !$0.isNumber }
        hasText = !words.isEmpty
        if words.isEmpty {
            conditions = ["e.workspace = ?": workspace]
        } else {
            let expression = try FTSTermIndex.matchExpression(
                for: words, in: "exchange_terms", connection)
            let oldest = try connection.integer(
                "SELECT min(sequence) FROM exchanges WHERE workspace = ?", [workspace])
            conditions = [
                "w.exchange_words MATCH ?": .text(expression), "e.workspace = ?": workspace,
                // Skips index entries older than the workspace's first exchange.
                "w.rowid >= ?": .integer(oldest ?? .max),
            ]
        }
        var filters: [Filter] = []
        func filter(_ sql: StaticSQL, _ value: Value? = nil) {
            if value != .null { filters.append((sql, value)) }
        }
        filter("e.app = ?", .text(query.app))
        filter("e.device = ?", .text(query.device))
        filter("e.call = ?", .text(query.call))
        // Repeats the partial index's condition so that SQLite uses that index.
        let partialIndexCondition: StaticSQL =
            query.cause == .submit ? "" : " AND e.cause <> 'submit'"
        filter("e.cause = ?\(partialIndexCondition)", .text(query.cause?.rawValue))
        if let hasToken = query.hasToken {
            filter(hasToken ? "e.tokens <> '[]'" : "e.tokens = '[]'")
        }
        switch query.status {
        case nil: break
        case .exact(let status): filter("e.status + 0 = ?", .integer(status))
        case .statusClass(let hundreds): filter("e.status / 100 = ?", .integer(hundreds))
        case .noResponse: filter("e.failure_kind IS NOT NULL")
        case .httpError:
            // Repeats the partial index's condition so that SQLite uses that index.
            filter("e.status >= 400")
        }
        // Repeats the partial index's condition.
        if query.onlyFaulted { filter("e.condition IS NOT NULL") }
        if query.onlyRuled { filter("e.rule IS NOT NULL") }
        let unfilteredCount = conditions.count
        conditions.add("+e.started_at >= ?", .date(query.from))
        conditions.add("+e.started_at <= ?", .date(query.until))
        // Only letters and digits are indexed: a text of symbols matches no exchange.
        if query.text?.isSymbolsOnly == true { conditions.add("0") }
        filterCount = conditions.count - unfilteredCount + filters.count
        try add(filters, in: workspace, connection)
    }

    /// A condition with an index, and the value bound to it.
    private typealias Filter = (sql: StaticSQL, value: Value?)

    /// Adds the filters so that SQLite reads the index of the one with the fewest exchanges, and
    /// skips all but these in the word index if they are few.
    private mutating func add(_ filters: [Filter], in workspace: Value, _ connection: Connection)
        throws
    {
        let isAlone = filters.count == 1 && !hasText
        let found = try filters.map { filter in
            isAlone ? FoundExchanges() : try Self.findExchanges(of: filter, workspace, connection)
        }
        // Of filters with more exchanges than are counted, that whose newest go back furthest.
        let rarest = found.indices.min {
            (found[$0].count, found[$0].first ?? 0) < (found[$1].count, found[$1].first ?? 0)
        }
        for (index, filter) in filters.enumerated() {
            // A plus disables the index.
            let prefix: StaticSQL = index == rarest ? "" : "+"
            conditions.add("\(prefix)\(filter.sql)", values: Self.values(of: filter))
        }
        guard !isAlone, let rarest, found[rarest].count < Self.probeLimit else { return }
        guard let first = found[rarest].first, let last = found[rarest].last else {
            conditions.add("0")
            return
        }
        guard hasText else { return }
        conditions.add("w.rowid BETWEEN ? AND ?", .integer(first), .integer(last))
        conditions.add(
            """
            +w.rowid IN (SELECT sequence FROM exchanges e WHERE e.workspace = ? AND \
            \(filters[rarest].sql) ORDER BY sequence DESC LIMIT ?)
            """,
            values: [workspace] + Self.values(of: filters[rarest]) + [.integer(Self.probeLimit)])
    }

    /// The number of a filter's exchanges, up to `probeLimit`, and their first and last sequence.
    private struct FoundExchanges {
        var count = 0
        var first: Int64?
        var last: Int64?
    }

    private static let probeLimit = 2_000

    /// Reads in list order, so that SQLite uses the list's indexes.
    private static func findExchanges(
        of filter: Filter, _ workspace: Value, _ connection: Connection
    ) throws -> FoundExchanges {
        try connection.row(
            """
            SELECT count(*), min(sequence), max(sequence) FROM (SELECT e.sequence FROM exchanges e \
            WHERE e.workspace = ? AND \(filter.sql) ORDER BY e.sequence DESC LIMIT ?)
            """, [workspace] + values(of: filter) + [.integer(probeLimit)]
        ) { row in
            FoundExchanges(
                count: Int(row.integer(0)), first: row.optionalInteger(1),
                last: row.optionalInteger(2))
        } ?? FoundExchanges()
    }

    private static func values(of filter: Filter) -> [Value] { filter.value.map { [$0] } ?? [] }

    /// Whether the workspace is the only condition.
    var isWorkspaceOnly: Bool { filterCount == 0 && !hasText }

    /// Whether several filters apply: an index serves only one of them, and the others have to read
    /// the exchanges.
    var hasMultipleFilters: Bool { filterCount + (hasText ? 1 : 0) > 1 }

    /// The FROM clause. With search words, the word index is the outer table: `CROSS JOIN` keeps
    /// SQLite from reordering the join.
    var source: StaticSQL {
        hasText
            ? "exchange_words w CROSS JOIN exchanges e ON e.sequence = w.rowid" : "exchanges e"
    }

    /// Counts the matches up to the last bound value, in list order so that SQLite uses the list's
    /// indexes. Search words without other filters are counted without reading any exchange row.
    var countQuery: StaticSQL {
        guard hasText, filterCount == 0 else {
            return """
                SELECT count(*) FROM (SELECT 1 FROM \(source) \
                WHERE \(conditions.sql) ORDER BY \(pageKey) DESC LIMIT ?)
                """
        }
        return """
            SELECT count(*) FROM (SELECT 1 FROM exchange_words w WHERE w.exchange_words MATCH ? \
            AND EXISTS (SELECT 1 FROM exchanges e INDEXED BY exchanges_workspace WHERE e.workspace \
            = ? AND e.sequence = w.rowid) AND w.rowid >= ? LIMIT ?)
            """
    }

    /// The paging key, as a column of the outer table.
    var pageKey: StaticSQL { hasText ? "w.rowid" : "e.sequence" }
}
