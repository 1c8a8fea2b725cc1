import SQLite

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
