import FoundationEssentials
import SQLite
import Web

extension ExchangeTable {
    /// One page, newest first, with the total of all that fit.
    static func list(_ query: ExchangeQuery, _ connection: Connection) throws -> ExchangePage {
        var filter = try ExchangeFilter(query, connection)
        if let from = query.from,
            let floor = try lowerSequenceBound(from, query.workspace, connection)
        {
            filter.add("\(filter.pageKey) >= ?", .integer(floor))
        }
        let limit = max(1, min(query.limit, 500))
        let newer = query.after != nil
        var page = filter
        if let before = query.before { page.add("\(filter.pageKey) < ?", .integer(before)) }
        if let after = query.after { page.add("\(filter.pageKey) > ?", .integer(after)) }
        let order: StaticSQL = newer ? "ASC" : "DESC"
        var items = try connection.rows(
            """
            SELECT \(columns) FROM \(page.source) WHERE \(page.whereClause) \
            ORDER BY \(page.pageKey) \(order) LIMIT ?
            """, page.boundValues + [.integer(limit + 1)], exchange)
        let more = items.count > limit
        if more { items.removeLast() }
        if newer { items.reverse() }
        let (total, isWhole) = try total(query, filter, connection)
        return ExchangePage(
            items: items, total: total, totalIsExact: isWhole, hasOlder: newer ? true : more,
            hasNewer: newer ? more : query.before != nil)
    }

    /// A sequence below which nothing was sent at `time` or later, so that
    /// the old ones need not be looked at; nil if there is nothing.
    ///
    /// They are recorded about in the order sent, some minutes apart at most;
    /// only what was imported may be older than its neighbours.
    private static func lowerSequenceBound(
        _ time: Date, _ workspace: String, _ connection: Connection
    ) throws
        -> Int64?
    {
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
            let found = try connection.row(
                """
                SELECT sequence, started_at FROM exchanges \
                WHERE workspace = ? AND sequence >= ? \
                AND +cause <> 'imported' ORDER BY sequence LIMIT 1
                """, [.text(workspace), .integer(middle)]
            ) { ($0.integer(0), $0.real(1)) }
            if let (sequence, started) = found, started < least {
                low = sequence + 1
            } else {
                high = middle
            }
        }
        return min(low, high)
    }

    /// Beyond this many are not counted: twice what is kept by default, and
    /// fewer where much more is kept, so that no page waits for a number.
    private static func countLimit(_ kept: Int, _ isMixed: Bool) -> Int64 {
        kept <= ExchangeTotals.exactCountLimit ? 10_000 : isMixed ? 200 : 1_000
    }

    /// Kept where it can be, counted where it must, up to a bound.
    private static func total(
        _ query: ExchangeQuery, _ filter: ExchangeFilter, _ connection: Connection
    ) throws -> (Int, isWhole: Bool) {
        let kept = try ExchangeTotalsTable.totals(query.workspace, connection).all
        if filter.isWorkspaceOnly { return (kept, true) }
        let bound = countLimit(kept, filter.hasMultipleFilters)
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
        let kept = row.optionalText(text)
        return ExchangeDetail.RecordedBody(
            text: kept, bytes: kept.map { Array($0.utf8) } ?? row.blob(blob), length: length)
    }

    /// Everything that shares its first cause, oldest first.
    ///
    /// The plus keeps SQLite from walking the whole workspace: the index of
    /// ids and the one of what was caused find them.
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
