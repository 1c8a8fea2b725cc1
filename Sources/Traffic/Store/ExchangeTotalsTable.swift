import SQLite

/// The stored counts of each workspace's exchanges, so that pages need not count.
enum ExchangeTotalsTable {
    /// Adds to the counts; a negated value subtracts.
    static func add(_ totals: ExchangeTotals, to workspace: String, _ connection: Connection) throws
    {
        try connection.run(
            """
            INSERT INTO exchange_totals VALUES (?, ?, ?, ?, ?) \
            ON CONFLICT (workspace) DO UPDATE SET \
            every = every + excluded.every, \
            refused = refused + excluded.refused, \
            no_answer = no_answer + excluded.no_answer, \
            refresh = refresh + excluded.refresh
            """,
            [
                .text(workspace), .integer(totals.all), .integer(totals.httpErrors),
                .integer(totals.noResponse), .integer(totals.refreshes),
            ])
    }

    static func totals(_ workspace: String, _ connection: Connection) throws -> ExchangeTotals {
        try connection.row(
            """
            SELECT every, refused, no_answer, refresh FROM exchange_totals \
            WHERE workspace = ?
            """, [.text(workspace)]
        ) { totals($0) } ?? ExchangeTotals(all: 0, httpErrors: 0, noResponse: 0, refreshes: 0)
    }

    static func clear(_ workspace: String, _ connection: Connection) throws {
        try connection.run("DELETE FROM exchange_totals WHERE workspace = ?", [.text(workspace)])
    }

    /// Reads a row of `every`, `refused`, `no_answer` and `refresh`.
    static func totals(_ row: Row) -> ExchangeTotals {
        ExchangeTotals(
            all: Int(row.integer(0)), httpErrors: Int(row.integer(1)),
            noResponse: Int(row.integer(2)), refreshes: Int(row.integer(3)))
    }
}
