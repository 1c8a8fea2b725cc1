import SQLite

/// The kept counts of a workspace's exchanges.
enum ExchangeTotalsTable {
    static func add(
        _ exchange: Exchange, _ step: Int, _ connection: Connection
    ) throws {
        let refused = (exchange.status ?? 0) >= 400 ? step : 0
        let noAnswer = exchange.failure != nil ? step : 0
        let refresh = exchange.cause == .refresh ? step : 0
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
                .text(exchange.workspace), .integer(step), .integer(refused),
                .integer(noAnswer), .integer(refresh),
            ])
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
