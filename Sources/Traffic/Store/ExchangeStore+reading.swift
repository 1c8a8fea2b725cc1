package import Core
import FoundationEssentials
import SQLite

/// Reading: every read first waits until everything queued before it is stored.
extension ExchangeStore {
    func readAll<Value: Sendable>(isLong: Bool = false, _ body: @escaping Database.Body<Value>)
        async throws -> Value
    {
        await flush()
        return try await database.read(isLong: isLong, body)
    }

    package func detail(_ id: String, in workspace: String) async throws -> ExchangeDetail? {
        try await readAll { connection in
            try connection.row(
                """
                SELECT \(ExchangeTable.detailColumns) FROM exchanges e \
                WHERE id = ? AND workspace = ?
                """, [.text(id), .text(workspace)], ExchangeTable.detail)
        }
    }

    /// The exchanges that share this one's root cause, oldest first.
    ///
    /// The unary plus keeps SQLite from scanning the workspace: it uses the index on ids and the
    /// one on caused exchanges instead.
    package func chain(of id: String, in workspace: String) async throws -> [Exchange] {
        try await readAll { connection in
            try connection.rows(
                """
                WITH first AS (SELECT root FROM exchanges WHERE id = ?1) SELECT \
                \(ExchangeTable.columns) FROM exchanges e WHERE +e.workspace = ?2 AND (id = \
                (SELECT root FROM first) OR cause_exchange IS NOT NULL AND root = (SELECT root \
                FROM first)) ORDER BY sequence LIMIT 100
                """, [.text(id), .text(workspace)], ExchangeTable.exchange)
        }
    }

    /// Every workspace with a totals row: its traffic has not been cleared.
    package func workspaces() async throws -> Set<String> {
        let names = try await readAll { connection in
            try connection.rows("SELECT workspace FROM exchange_totals") { $0.text(0) }
        }
        return Set(names)
    }

    /// Counts for the traffic page's filters, read from a table instead of counted.
    package func totals(workspace: String) async throws -> ExchangeTotals {
        try await readAll { connection in try ExchangeTotals(in: workspace, connection) }
    }

    // MARK: Lists

    /// One page, newest first. With a filter at most 10,000 matches are counted, and at most 1,000
    /// if the workspace stores very many.
    package func list(_ query: ExchangeQuery) async throws -> KeysetPage<Exchange> {
        try await page(query, isLong: query.isFiltered || query.sort.key != nil) {
            page, connection in
            (page.total, page.totalIsExact) =
                page.isOnlyPage ? (page.items.count, true) : try Self.total(query, connection)
        }
    }

    /// The exchanges of one page; other matches are not counted.
    package func exchanges(_ query: ExchangeQuery) async throws -> [Exchange] {
        let isLong = query.text != nil || query.from != nil || !query.terms.isEmpty
        return try await page(query, isLong: isLong || query.sort.key != nil) { _, _ in }.items
    }

    private func page(
        _ query: ExchangeQuery, isLong: Bool,
        count: @escaping @Sendable (inout KeysetPage<Exchange>, Connection) throws -> Void
    ) async throws -> KeysetPage<Exchange> {
        if query.readsTextIndex { try await prepareSearch() }
        return try await readAll(isLong: isLong) { connection in
            let filter = try ExchangeFilter(query, connection)
            var page = try connection.page(
                query.keyset, by: filter.pageKey, sortedBy: filter.sortKey,
                isAscending: query.sort.isAscending, ExchangeTable.columns, from: filter.source,
                where: filter.conditions, total: (0, false), ExchangeTable.exchange)
            try count(&page, connection)
            return page
        }
    }

    /// Reads the stored total if no filter applies, otherwise counts up to a limit: twice the
    /// default retention, and fewer if the workspace stores much more, so that no page waits.
    private static func total(_ query: ExchangeQuery, _ connection: Connection) throws -> (
        count: Int, isExact: Bool
    ) {
        var query = query
        query.sort = .init()
        let filter = try ExchangeFilter(query, connection)
        let stored = try ExchangeTotals(in: query.workspace, connection).all
        if filter.isWorkspaceOnly { return (stored, true) }
        let limit =
            stored <= ExchangeTotals.exactCountLimit
            ? 10_000 : filter.hasMultipleFilters ? 200 : 1_000
        let count = try connection.integer(
            filter.countQuery, filter.conditions.values + [.integer(limit)])
        return (Int(count ?? 0), (count ?? 0) < limit)
    }
}

/// Counts of a workspace's stored exchanges; stored, so that pages need not count.
package struct ExchangeTotals: Sendable, Equatable {
    package var all = 0
    package var httpErrors = 0
    package var noResponse = 0
    package var refreshes = 0

    /// Up to this number, exchanges can be counted again for every page.
    package static let exactCountLimit = 10_000
}

extension ExchangeTotals {
    /// Counts `exchanges`, which belong to one workspace.
    init(of exchanges: [Exchange]) {
        all = exchanges.count
        httpErrors = exchanges.count { ($0.status ?? 0) >= 400 }
        noResponse = exchanges.count { $0.failure != nil }
        refreshes = exchanges.count { $0.cause == .refresh }
    }

    /// Reads a row of the four counts, in their order.
    init(_ row: Row) {
        all = Int(row.integer(0))
        httpErrors = Int(row.integer(1))
        noResponse = Int(row.integer(2))
        refreshes = Int(row.integer(3))
    }

    /// The stored counts of a workspace.
    init(in workspace: String, _ connection: Connection) throws {
        let stored = try connection.row(
            "SELECT every, refused, no_answer, refresh FROM exchange_totals WHERE workspace = ?",
            [.text(workspace)], ExchangeTotals.init)
        self = stored ?? ExchangeTotals()
    }

    /// Adds these counts to the stored ones, or with `sign` −1 subtracts them.
    func store(in workspace: String, sign: Int = 1, _ connection: Connection) throws {
        try connection.run(
            """
            INSERT INTO exchange_totals VALUES (?, ?, ?, ?, ?) ON CONFLICT (workspace) DO UPDATE \
            SET every = every + excluded.every, refused = refused + excluded.refused, no_answer = \
            no_answer + excluded.no_answer, refresh = refresh + excluded.refresh
            """,
            [.text(workspace)]
                + [all, httpErrors, noResponse, refreshes].map { .integer(sign * $0) })
    }
}
