import SQLite

/// The kept counts of a workspace's exchanges.
enum ExchangeTotalsTable {
    /// Counts `exchanges` once for each workspace among them; `step` is 1 for
    /// those that came and -1 for those that went.
    static func add(
        _ exchanges: [Exchange], _ step: Int, _ connection: Connection
    ) throws {
        let groups = Dictionary(grouping: exchanges) { $0.workspace }
        for (workspace, exchanges) in groups {
            let refused = exchanges.count { ($0.status ?? 0) >= 400 }
            let noAnswer = exchanges.count { $0.failure != nil }
            let refresh = exchanges.count { $0.cause == .refresh }
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
                    .text(workspace), .integer(step * exchanges.count),
                    .integer(step * refused), .integer(step * noAnswer),
                    .integer(step * refresh),
                ])
        }
    }

    static func totals(
        _ workspace: String, _ connection: Connection
    ) throws -> ExchangeTotals {
        try connection.row(
            """
            SELECT every, refused, no_answer, refresh FROM exchange_totals \
            WHERE workspace = ?
            """, [.text(workspace)]
        ) { row in
            ExchangeTotals(
                all: Int(row.integer(0)), refused: Int(row.integer(1)),
                noAnswer: Int(row.integer(2)), refresh: Int(row.integer(3)))
        } ?? ExchangeTotals(all: 0, refused: 0, noAnswer: 0, refresh: 0)
    }

    static func clear(
        _ workspace: String, _ connection: Connection
    ) throws {
        try connection.run(
            "DELETE FROM exchange_totals WHERE workspace = ?",
            [.text(workspace)])
    }
}
