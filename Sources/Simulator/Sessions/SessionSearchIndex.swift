import Core
import SQLite
import Traffic
import Web

/// The full-text index of sessions, updated shortly after writes.
///
/// A sign-in writes one number into `session_unworded`; FTS5 would flush its pending terms at every
/// savepoint, which costs more than the rest of the sign-in. A search first indexes pending
/// sessions, so that it misses none.
final class SessionSearchIndex: Sendable {
    private let database: Database
    private let world: World
    private let debouncer: Debouncer

    /// Sessions indexed per transaction.
    private static let batchSize = 512

    init(database: Database, world: World) {
        self.database = database
        self.world = world
        debouncer = Debouncer(after: .milliseconds(250), world)
    }

    /// Schedules an update in 250 ms, after a write.
    func scheduleUpdate() {
        debouncer.schedule { [weak self] in
            guard let self else { return }
            await updateSearchIndex(of: "sessions", world, indexPending)
        }
    }

    /// Returns when all earlier writes are indexed.
    func catchUp() async throws {
        do { try await indexPending() } catch let error as DatabaseError { throw Problem(error) }
    }

    private func indexPending() async throws {
        try await database.writeInSteps(while: Self.isBehind, Self.indexBatch)
    }

    private static func isBehind(_ connection: Connection) throws -> Bool {
        try connection.exists("SELECT 1 FROM session_unworded")
    }

    private static func indexBatch(_ connection: Connection) throws {
        let next: StaticSQL = "(SELECT sequence FROM session_unworded ORDER BY sequence LIMIT ?)"
        let limit = [Value.integer(batchSize)]
        try connection.run("DELETE FROM session_words WHERE rowid IN \(next)", limit)
        try connection.run(
            """
            INSERT INTO session_words \
            (rowid, user_id, email, label, claims, facets) \
            SELECT sequence, user_id, email, label, claims, facets \
            FROM sessions WHERE sequence IN \(next)
            """, limit)
        try connection.run("DELETE FROM session_unworded WHERE sequence IN \(next)", limit)
    }
}
