import FoundationEssentials
import SQLite
import Web

extension ExchangeTable {
    /// One page, newest first, with the total number of matches.
    static func list(_ query: ExchangeQuery, _ connection: Connection) throws -> ExchangePage {
        var filter = try ExchangeFilter(query, connection)
        if let from = query.from,
            let floor = try lowerSequenceBound(from, query.workspace, connection)
        {
            filter.add("\(filter.pageKey) >= ?", .integer(floor))
        }
        let limit = max(1, min(query.limit, 500))
        let wantsNewer = query.after != nil
        var page = filter
        if let before = query.before { page.add("\(filter.pageKey) < ?", .integer(before)) }
        if let after = query.after { page.add("\(filter.pageKey) > ?", .integer(after)) }
        let order: StaticSQL = wantsNewer ? "ASC" : "DESC"
        var items = try connection.rows(
            """
            SELECT \(columns) FROM \(page.source) WHERE \(page.whereClause) \
            ORDER BY \(page.pageKey) \(order) LIMIT ?
            """, page.boundValues + [.integer(limit + 1)], exchange)
        let hasMore = items.count > limit
        if hasMore { items.removeLast() }
        if wantsNewer { items.reverse() }
        let (total, isExact) = try total(query, filter, connection)
        return ExchangePage(
            items: items, total: total, totalIsExact: isExact,
            hasOlder: wantsNewer ? true : hasMore,
            hasNewer: wantsNewer ? hasMore : query.before != nil)
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
                SELECT (SELECT min(sequence) FROM exchanges \
                WHERE workspace = ?1), (SELECT max(sequence) FROM exchanges \
                WHERE workspace = ?1)
                """, [.text(workspace)], { ($0.optionalInteger(0), $0.optionalInteger(1)) }),
            var low = ends.0, var high = ends.1
        else { return nil }
        while low < high {
            let middle = low + (high - low) / 2
            let row = try connection.row(
                """
                SELECT sequence, started_at FROM exchanges \
                WHERE workspace = ? AND sequence >= ? \
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

    /// The number at which counting stops: twice the default retention, and fewer if the workspace
    /// stores much more, so that no page waits for a count.
    private static func countLimit(_ storedCount: Int, _ hasMultipleFilters: Bool) -> Int64 {
        storedCount <= ExchangeTotals.exactCountLimit ? 10_000 : hasMultipleFilters ? 200 : 1_000
    }

    /// Reads the stored total if no filter applies, otherwise counts up to a limit.
    private static func total(
        _ query: ExchangeQuery, _ filter: ExchangeFilter, _ connection: Connection
    ) throws -> (Int, isWhole: Bool) {
        let storedCount = try ExchangeTotalsTable.totals(query.workspace, connection).all
        if filter.isWorkspaceOnly { return (storedCount, true) }
        let bound = countLimit(storedCount, filter.hasMultipleFilters)
        let count = try connection.integer(
            filter.countQuery, filter.boundValues + [.integer(bound)])
        return (Int(count ?? 0), (count ?? 0) < bound)
    }

    static func detail(_ id: String, _ workspace: String, _ connection: Connection) throws
        -> ExchangeDetail?
    {
        try connection.row(
            """
            SELECT \(columns), remote_address, tokens, request_headers, \
            response_headers, request_text, response_text, request_blob, \
            response_blob, checks FROM exchanges e WHERE id = ? AND workspace = ?
            """, [.text(id), .text(workspace)]
        ) { row in
            let exchange = exchange(row)
            return ExchangeDetail(
                exchange: exchange, requestHeaders: ExchangeCoding.headers(row.text(27)),
                requestBody: recordedBody(row, 29, 31, exchange.requestBytes),
                responseHeaders: ExchangeCoding.headers(row.text(28)),
                responseBody: recordedBody(row, 30, 32, exchange.responseBytes),
                remoteAddress: row.optionalText(25), tokens: ExchangeCoding.list(row.text(26)),
                checks: row.optionalText(33).map(ExchangeCheck.decode) ?? [])
        }
    }

    private static func recordedBody(_ row: Row, _ text: Int, _ blob: Int, _ length: Int)
        -> ExchangeDetail.RecordedBody
    {
        let storedText = row.optionalText(text)
        return ExchangeDetail.RecordedBody(
            text: storedText, bytes: storedText.map { Array($0.utf8) } ?? row.blob(blob),
            length: length)
    }

    /// Every exchange with the same root cause, oldest first.
    ///
    /// The unary plus keeps SQLite from scanning the workspace: it uses the index on ids and the
    /// one on caused exchanges instead.
    static func chain(of id: String, _ workspace: String, _ connection: Connection) throws
        -> [Exchange]
    {
        try connection.rows(
            """
            WITH first AS (SELECT root FROM exchanges WHERE id = ?1) \
            SELECT \(columns) FROM exchanges e WHERE +e.workspace = ?2 AND \
            (id = (SELECT root FROM first) OR cause_exchange IS NOT NULL \
            AND root = (SELECT root FROM first)) \
            ORDER BY sequence LIMIT 100
            """, [.text(id), .text(workspace)], exchange)
    }

    static func sealedTokens(of id: String, _ workspace: String, _ connection: Connection) throws
        -> [String]
    {
        try connection.row(
            "SELECT sealed FROM exchanges WHERE id = ? AND workspace = ?",
            [.text(id), .text(workspace)]
        ) { ExchangeCoding.list($0.text(0)) } ?? []
    }
}

/// A page of exchanges, newest first.
package struct ExchangePage: Sendable {
    package var items: [Exchange]
    /// The number of exchanges that match the query. With a filter at most 10,000 are counted, and
    /// at most 1,000 if the workspace stores very many.
    package var total: Int
    /// Whether `total` is exact.
    package var totalIsExact: Bool
    /// Whether there are older exchanges after the last item.
    package var hasOlder: Bool
    /// Whether there are newer exchanges before the first item.
    package var hasNewer: Bool
}
