import SQLite

/// The words of exchanges, by which URLs and bodies are searched.
///
/// Written by statements of their own and not by triggers: a statement with a
/// trigger is a savepoint, and at each savepoint FTS5 writes what it has
/// gathered to disk. A batch of exchanges is thereby indexed once.
enum ExchangeWords {
    /// What is indexed of one exchange; the same is needed to take it out.
    struct Entry {
        var sequence: Int64
        var url: String
        var request: String?
        var response: String?

        fileprivate var values: [Value] {
            [.integer(sequence), .text(url), .text(request), .text(response)]
        }
    }

    static func add(_ entry: Entry, _ connection: Connection) throws {
        try connection.run(
            """
            INSERT INTO exchange_words \
            (rowid, url, request_text, response_text) VALUES (?, ?, ?, ?)
            """, entry.values)
    }

    static func remove(_ entry: Entry, _ connection: Connection) throws {
        try connection.run(
            """
            INSERT INTO exchange_words (exchange_words, rowid, url, \
            request_text, response_text) VALUES ('delete', ?, ?, ?, ?)
            """, entry.values)
    }

    /// Before the workspace's exchanges go.
    static func remove(
        workspace: String, _ connection: Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO exchange_words (exchange_words, rowid, url, \
            request_text, response_text) SELECT 'delete', sequence, url, \
            request_text, response_text FROM exchanges WHERE workspace = ?
            """, [.text(workspace)])
    }
}
