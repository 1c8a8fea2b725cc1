import Core
import SQLite
import Traffic
import Web

/// The words sessions are searched by, indexed a little after they are written.
///
/// A sign-in writes one number into `session_unworded`; FTS5 would flush what
/// it gathered at every savepoint, which costs more than the rest of the
/// sign-in. A search first has indexed what waits, so that it misses nothing.
final class SessionSearchIndex: Sendable {
    private let database: Database
    private let world: World
    private let debouncer: Debouncer

    /// Sessions indexed in one transaction.
    private static let batchSize = 512

    init(database: Database, world: World) {
        self.database = database
        self.world = world
        debouncer = Debouncer(after: .milliseconds(250), world)
    }

    /// Something was written: indexes it in a quarter of a second.
    func scheduleUpdate() {
        debouncer.schedule { [weak self] in
            guard let self else { return }
            do { try await database.writeInSteps(while: Self.isBehind, Self.indexBatch) } catch let
                error
                as DatabaseError where error.kind == .closed
            {
                // Nobody searches any more; the next start goes on with it.
            } catch {
                // It is tried again with the next writing or search.
                world.log(
                    "sessions: the search index could not be brought up to "
                        + "date: \(logMessage(for: error))")
            }
        }
    }

    /// Returns when everything written before is indexed.
    func catchUp() async throws {
        do { try await database.writeInSteps(while: Self.isBehind, Self.indexBatch) } catch let
            error
            as DatabaseError
        { throw Problem(error) }
    }

    private static func isBehind(_ connection: Connection) throws -> Bool {
        try connection.exists("SELECT 1 FROM session_unworded")
    }

    private static func indexBatch(_ connection: Connection) throws {
        let next: StaticSQL = """
            (SELECT sequence FROM session_unworded ORDER BY sequence LIMIT ?)
            """
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
