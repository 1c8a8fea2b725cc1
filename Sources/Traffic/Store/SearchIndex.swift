import SQLite

/// The index of the trigrams of URLs, bodies, statuses, methods and apps, updated before a search
/// and after a burst that follows one.
///
/// It selects the exchanges that may contain a text; without positions, which would make it twice
/// as large, the texts themselves decide.
///
/// Exchanges are indexed in the order stored; those beyond the number in `exchange_worded` are
/// pending. In a burst that is soon pruned again, most exchanges are never indexed.
enum SearchIndex {
    /// The number of exchanges indexed in one transaction.
    private static let batchSize = 512
    private static let columns: StaticSQL = "url, method, status, app, request_text, response_text"

    /// Whether an exchange up to `last` waits to be indexed.
    static func hasPending(_ connection: Connection, upTo last: Int64 = .max) throws -> Bool {
        try connection.exists(
            """
            SELECT 1 FROM exchanges WHERE sequence > (SELECT upto FROM exchange_worded) AND \
            sequence <= ?
            """, [.integer(last)])
    }

    /// Indexes the next pending exchanges, at most `count`.
    static func indexNextBatch(_ connection: Connection, count: Int = batchSize) throws {
        let last = try connection.integer(
            """
            SELECT max(sequence) FROM (SELECT sequence FROM exchanges WHERE sequence > (SELECT \
            upto FROM exchange_worded) ORDER BY sequence LIMIT ?)
            """, [.integer(count)])
        guard let last else { return }
        try connection.run(
            """
            INSERT INTO exchange_text (rowid, \(columns)) SELECT sequence, \(columns) FROM exchanges \
            WHERE sequence > (SELECT upto FROM exchange_worded) AND sequence <= ?
            """, [.integer(last)])
        try connection.run("UPDATE exchange_worded SET upto = ?", [.integer(last)])
    }

    /// Called with every stored batch: indexes one batch when more than `bound` exchanges are
    /// pending, so that no search waits long.
    static func limitBacklog(_ connection: Connection, bound: Int64 = 10_000) throws {
        let pending = try connection.integer(
            """
            SELECT (SELECT max(sequence) FROM exchanges) - max((SELECT min(sequence) FROM \
            exchanges) - 1, upto) FROM exchange_worded
            """)
        if let pending, pending > bound { try indexNextBatch(connection) }
    }

    /// Removes the exchanges for which `condition` holds from the index; call before deleting them.
    static func remove(_ condition: StaticSQL, _ values: [Value], _ connection: Connection) throws {
        try connection.run(
            """
            INSERT INTO exchange_text (exchange_text, rowid, \(columns)) SELECT 'delete', sequence, \
            \(columns) FROM exchanges WHERE \(condition) AND sequence <= (SELECT upto FROM \
            exchange_worded)
            """, values)
    }
}
