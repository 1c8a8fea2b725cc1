import SQLite

/// The words of exchanges, by which URLs and bodies are searched, indexed a
/// little after they are stored.
///
/// Exchanges are indexed in the order they were stored; those beyond the
/// number in `exchange_worded` still wait for it. Of a burst that is pruned
/// soon again, most are thereby never indexed.
enum SearchIndex {
    /// Exchanges indexed in one transaction.
    private static let batchSize = 512

    /// Whether an exchange waits to be indexed.
    static func hasPending(_ connection: Connection) throws -> Bool {
        try connection.exists(
            """
            SELECT 1 FROM exchanges \
            WHERE sequence > (SELECT upto FROM exchange_worded)
            """)
    }

    /// Indexes the next that wait.
    static func indexNextBatch(_ connection: Connection) throws {
        let last = try connection.integer(
            """
            SELECT max(sequence) FROM (SELECT sequence FROM exchanges \
            WHERE sequence > (SELECT upto FROM exchange_worded) \
            ORDER BY sequence LIMIT ?)
            """, [.integer(batchSize)])
        guard let last else { return }
        try connection.run(
            """
            INSERT INTO exchange_words \
            (rowid, url, request_text, response_text) \
            SELECT sequence, url, request_text, response_text FROM exchanges \
            WHERE sequence > (SELECT upto FROM exchange_worded) \
            AND sequence <= ?
            """, [.integer(last)])
        try connection.run("UPDATE exchange_worded SET upto = ?", [.integer(last)])
    }

    /// With every batch stored: when more than `bound` wait, some are
    /// indexed, so that no search ever waits for long.
    static func limitBacklog(_ connection: Connection, bound: Int64 = 10_000) throws {
        let waiting = try connection.integer(
            """
            SELECT (SELECT max(sequence) FROM exchanges) \
            - max((SELECT min(sequence) FROM exchanges) - 1, upto) \
            FROM exchange_worded
            """)
        if let waiting, waiting > bound { try indexNextBatch(connection) }
    }

    /// Takes out the exchanges for which `condition` holds, before they go.
    static func remove(_ condition: StaticSQL, _ values: [Value], _ connection: Connection) throws {
        try connection.run(
            """
            INSERT INTO exchange_words (exchange_words, rowid, url, \
            request_text, response_text) SELECT 'delete', sequence, url, \
            request_text, response_text FROM exchanges WHERE \(condition) \
            AND sequence <= (SELECT upto FROM exchange_worded)
            """, values)
    }
}
