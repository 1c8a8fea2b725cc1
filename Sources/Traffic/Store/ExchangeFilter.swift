import Core
import FoundationEssentials
import SQLite
import Web

/// An `ExchangeQuery` as SQL conditions.
struct ExchangeFilter {
    private(set) var conditions: Conditions
    /// The column by which pages are sorted; nil for the recording order.
    let sortKey: SortKey?
    /// Whether the text index is read first.
    private let usesTextIndex: Bool
    /// The number of filters besides the workspace.
    private let filterCount: Int

    init(_ query: ExchangeQuery, _ connection: Connection) throws {
        let workspace = Value.text(query.workspace)
        let terms = query.allTerms
        sortKey = query.sort.key
        let expression = try Self.indexExpression(
            for: terms, sorting: sortKey != nil, workspace, connection)
        usesTextIndex = expression != nil
        let times = [query.from, query.until].compactMap(\.self)
        filterCount = terms.count + times.count + (query.hasToken == false ? 1 : 0)
        conditions = [:]
        if let expression {
            let oldest = try connection.integer(
                "SELECT min(sequence) FROM exchanges WHERE workspace = ?", [workspace])
            conditions.add("w.exchange_text MATCH ?", .text(expression))
            // Skips index entries older than the workspace's first exchange.
            conditions.add("w.rowid >= ?", .integer(oldest ?? .max))
        }
        conditions.add("e.workspace = ?", workspace)
        var filters: [Filter] = []
        for term in terms {
            let filter = term.condition.filter
            if term.isExcluded {
                conditions.add("NOT coalesce((\(filter.sql)), 0)", values: filter.values)
            } else if term.condition.hasIndex {
                filters.append(filter)
            } else {
                conditions.add("(\(filter.sql))", values: filter.values)
            }
        }
        if query.hasToken == false { filters.append(("e.tokens = '[]'", [])) }
        conditions.add("+e.started_at >= ?", .date(query.from))
        conditions.add("+e.started_at <= ?", .date(query.until))
        if let from = query.from,
            let floor = try Self.lowerSequenceBound(from, query.workspace, connection)
        {
            // A plus keeps a sorted list from reading the index of the recording order.
            let prefix: StaticSQL = sortKey == nil ? "" : "+"
            conditions.add("\(prefix)\(pageKey) >= ?", .integer(floor))
        }
        if query.hasInvalidSearch { conditions.add("0") }
        try add(filters, in: workspace, connection)
    }

    /// Conditions joined by AND, and the values bound to them.
    typealias Filter = (sql: StaticSQL, values: [Value])

    /// Adds the filters so that SQLite reads the index of the one with the fewest exchanges, and
    /// skips all but these in the text index if they are few.
    ///
    /// A sorted list reads the index of its order instead, unless a filter has few exchanges.
    private mutating func add(_ filters: [Filter], in workspace: Value, _ connection: Connection)
        throws
    {
        let isAlone = filters.count == 1 && !usesTextIndex && sortKey == nil
        let found = try filters.map { filter in
            isAlone ? FoundExchanges() : try Self.findExchanges(of: filter, workspace, connection)
        }
        // Of filters with more exchanges than are counted, that whose newest go back furthest.
        let rarest = found.indices.min {
            (found[$0].count, found[$0].first ?? 0) < (found[$1].count, found[$1].first ?? 0)
        }
        let isRare = rarest.map { !isAlone && found[$0].count < Self.probeLimit } ?? false
        for (index, filter) in filters.enumerated() {
            // A plus disables the index.
            let prefix: StaticSQL = index == rarest && (sortKey == nil || isRare) ? "" : "+"
            conditions.add("\(prefix)\(filter.sql)", values: filter.values)
        }
        guard isRare, let rarest else { return }
        guard let first = found[rarest].first, let last = found[rarest].last else {
            conditions.add("0")
            return
        }
        guard usesTextIndex else { return }
        conditions.add("w.rowid BETWEEN ? AND ?", .integer(first), .integer(last))
        conditions.add(
            """
            +w.rowid IN (SELECT sequence FROM exchanges e WHERE e.workspace = ? AND \
            \(filters[rarest].sql) ORDER BY sequence DESC LIMIT ?)
            """, values: [workspace] + filters[rarest].values + [.integer(Self.probeLimit)])
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
            """, [workspace] + filter.values + [.integer(probeLimit)]
        ) { row in
            FoundExchanges(
                count: Int(row.integer(0)), first: row.optionalInteger(1),
                last: row.optionalInteger(2))
        } ?? FoundExchanges()
    }

    /// A sequence below which no exchange was sent at `time` or later, so that older rows can be
    /// skipped; nil if the workspace has none.
    ///
    /// Exchanges are recorded roughly in the order sent, at most some minutes apart; only imported
    /// ones can be older than their neighbors.
    private static func lowerSequenceBound(
        _ time: Date, _ workspace: String, _ connection: Connection
    ) throws -> Int64? {
        let slack: Double = 600
        let least = time.timeIntervalSince1970 - slack
        guard
            let ends = try connection.row(
                """
                SELECT (SELECT min(sequence) FROM exchanges WHERE workspace = ?1), (SELECT \
                max(sequence) FROM exchanges WHERE workspace = ?1)
                """, [.text(workspace)], { ($0.optionalInteger(0), $0.optionalInteger(1)) }),
            var low = ends.0, var high = ends.1
        else { return nil }
        while low < high {
            let middle = low + (high - low) / 2
            let row = try connection.row(
                """
                SELECT sequence, started_at FROM exchanges WHERE workspace = ? AND sequence >= ? \
                AND +cause <> 'imported' ORDER BY sequence LIMIT 1
                """, [.text(workspace), .integer(middle)]
            ) { ($0.integer(0), $0.real(1)) }
            if let (sequence, started) = row, started < least {
                low = sequence + 1
            } else {
                high = middle
            }
        }
        return min(low, high)
    }

    // MARK: Text

    /// The trigrams of all texts, as an expression of the text index, which selects a superset of
    /// the matches; nil if it would not help.
    ///
    /// A sorted list has to collect all matches. If they are many, walking its order is faster.
    private static func indexExpression(
        for terms: [ExchangeTerm], sorting: Bool, _ workspace: Value, _ connection: Connection
    ) throws -> String? {
        var alternatives: [String] = []
        for term in terms where !term.isExcluded {
            switch term.condition {
            case .host(let text), .path(let text): alternatives += trigrams([text])
            case .text(let text): alternatives += trigrams(SearchText.encodings(of: text))
            default: break
            }
        }
        guard !alternatives.isEmpty else { return nil }
        let expression = Set(alternatives).sorted().prefix(maxTrigrams).joined(separator: " AND ")
        guard sorting else { return expression }
        let count = try connection.integer(
            """
            SELECT count(*) FROM (SELECT 1 FROM exchange_text WHERE exchange_text MATCH ? LIMIT ?)
            """, [.text(expression), .integer(probeLimit)])
        return count ?? 0 < probeLimit ? expression : nil
    }

    /// An FTS5 expression has a limited depth.
    private static let maxTrigrams = 100

    /// The trigrams of a text, each quoted; with several encodings, one alternative of them all.
    private static func trigrams(_ texts: [String]) -> [String] {
        let all = texts.map { text in
            let scalars = Array(text.unicodeScalars)
            return scalars.indices.dropLast(2).map { index in
                var part = String.UnicodeScalarView()
                part.append(contentsOf: scalars[index..<index + 3])
                return "\"" + String(part).replacing("\"", with: "\"\"") + "\""
            }
        }
        guard !texts.contains(where: { $0.unicodeScalars.contains("\0") }),
            all.allSatisfy({ !$0.isEmpty })
        else { return [] }
        guard all.count > 1 else { return all[0] }
        return [
            "("
                + all.map { "(" + $0.prefix(maxTrigrams / 4).joined(separator: " AND ") + ")" }
                .joined(separator: " OR ") + ")"
        ]
    }

    // MARK: Statements

    /// Whether the workspace is the only condition.
    var isWorkspaceOnly: Bool { filterCount == 0 }

    /// Whether several filters apply: an index serves only one of them, and the others have to read
    /// the exchanges.
    var hasMultipleFilters: Bool { filterCount > 1 }

    /// The FROM clause. With a text, the text index is the outer table: `CROSS JOIN` keeps SQLite
    /// from reordering the join.
    var source: StaticSQL {
        usesTextIndex
            ? "exchange_text w CROSS JOIN exchanges e ON e.sequence = w.rowid" : "exchanges e"
    }

    /// Counts the matches up to the last bound value, in list order so that SQLite uses the list's
    /// indexes.
    var countQuery: StaticSQL {
        """
        SELECT count(*) FROM (SELECT 1 FROM \(source) WHERE \(conditions.sql) ORDER BY \(pageKey) \
        DESC LIMIT ?)
        """
    }

    /// The sequence, as a column of the outer table.
    var pageKey: StaticSQL { usesTextIndex ? "w.rowid" : "e.sequence" }
}

extension ExchangeTerm.Condition {
    /// Whether an index finds the exchanges that meet the condition.
    fileprivate var hasIndex: Bool {
        switch self {
        case .host, .path, .text: false
        default: true
        }
    }

    fileprivate var filter: ExchangeFilter.Filter {
        switch self {
        case .app(let id): ("e.app = ?", [.text(id.lowercased())])
        case .device(let id): ("e.device = ?", [.text(id)])
        case .call(let name): ("e.call = ?", [.text(name)])
        case .method(let method): ("e.method = ?", [.text(method.uppercased())])
        // The others repeat the condition of a partial index, so that SQLite uses it.
        case .cause(.submit): ("e.cause = 'submit'", [])
        case .cause(let cause):
            ("e.cause = ? AND e.cause <> 'submit'", [.text(cause.rawValue)])
        case .token: ("e.tokens <> '[]'", [])
        case .faulted: ("e.condition IS NOT NULL", [])
        case .ruled: ("e.rule IS NOT NULL", [])
        case .status(.exact(let status)): ("coalesce(e.status, 0) = ?", [.integer(status)])
        case .status(.statusClass(let hundreds)): ("e.status / 100 = ?", [.integer(hundreds)])
        case .status(.noResponse): ("e.failure_kind IS NOT NULL", [])
        case .status(.httpError): ("e.status >= 400", [])
        case .host(let text): SearchText.filter([text], in: [ExchangeColumns.host])
        case .path(let text): SearchText.filter([text], in: [ExchangeColumns.path])
        case .text(let text):
            SearchText.filter(SearchText.encodings(of: text), in: SearchText.columns)
        }
    }
}

/// A text that is searched for in columns.
private enum SearchText {
    static let columns: [StaticSQL] = [
        "e.url", "e.request_text", "e.response_text", "e.method", "e.status", "e.app",
    ]

    /// The text as it may be recorded: as it is, in a form or a URL, and in JSON.
    static func encodings(of text: String) -> [String] {
        let json = String(JSON.string(text).description.dropFirst().dropLast())
        return [PercentEncoding.encode(text), json].reduce(into: [text]) { all, encoded in
            if !all.contains(encoded) { all.append(encoded) }
        }
    }

    /// Whether one of `columns` contains one of `texts`. SQLite's LIKE ignores the case of ASCII
    /// letters only, so others are looked for in both cases.
    static func filter(_ texts: [String], in columns: [StaticSQL]) -> ExchangeFilter.Filter {
        let all = texts.flatMap { text in
            text.utf8.allSatisfy { $0 < 128 }
                ? [text] : Set([text, text.lowercased(), text.uppercased()]).sorted()
        }
        let patterns = all.map { text -> Value in
            let escaped = text.replacing("\\", with: #"\\"#).replacing("%", with: #"\%"#)
                .replacing("_", with: #"\_"#)
            return .text("%\(escaped)%")
        }
        let conditions = columns.flatMap { column in
            patterns.map { pattern in (sql: "\(column) LIKE ? ESCAPE '\\'" as StaticSQL, pattern) }
        }
        return (.joined(conditions.map(\.sql), separator: " OR "), conditions.map(\.1))
    }
}
