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
        let unfilteredCount = conditions.count
        conditions.add("e.app = ?", .text(query.app))
        conditions.add("e.device = ?", .text(query.device))
        conditions.add("e.call = ?", .text(query.call))
        // Repeats the partial index's condition so that SQLite uses that index.
        let partialIndexCondition: StaticSQL =
            query.cause == .submit ? "" : " AND e.cause <> 'submit'"
        conditions.add("e.cause = ?\(partialIndexCondition)", .text(query.cause?.rawValue))
        if let hasToken = query.hasToken {
            conditions.add(hasToken ? "e.tokens <> '[]'" : "e.tokens = '[]'")
        }
        conditions.add("+e.started_at >= ?", .date(query.from))
        conditions.add("+e.started_at <= ?", .date(query.until))
        switch query.status {
        case nil: break
        case .exact(let status): conditions.add("e.status + 0 = ?", .integer(status))
        case .statusClass(let hundreds): conditions.add("e.status / 100 = ?", .integer(hundreds))
        case .noResponse: conditions.add("e.failure_kind IS NOT NULL")
        case .httpError:
            // Repeats the partial index's condition so that SQLite uses that index.
            conditions.add("e.status >= 400")
        }
        // Repeats the partial index's condition.
        if query.onlyFaulted { conditions.add("e.condition IS NOT NULL") }
        // Only letters and digits are indexed: a text of symbols matches no exchange.
        if query.text?.isSymbolsOnly == true { conditions.add("0") }
        filterCount = conditions.count - unfilteredCount
    }

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
