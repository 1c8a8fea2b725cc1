/// One SQLite file: one writer that gathers commits, readers beside it.
package final class Database: Sendable {
    /// Opens or makes the file (0600), takes its lock file, and brings its
    /// schema up to date.
    ///
    /// `path` may be `:memory:` for tests (one connection serves both sides).
    package init(
        path: String, durability: Durability, migrations: [Migration],
        readers: Int = 2
    ) throws(DatabaseError) {
        preconditionFailure("not built yet")
    }

    /// Reads a consistent snapshot on one of the reader connections.
    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        preconditionFailure("not built yet")
    }

    /// Writes in a transaction and returns after it is committed.
    ///
    /// Writes that wait at the same time share one commit, each in a savepoint
    /// of its own: one that throws undoes only itself.
    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        preconditionFailure("not built yet")
    }

    /// Finishes what waits, checkpoints and closes; later calls throw.
    package func close() async {
        preconditionFailure("not built yet")
    }

    /// When a commit counts as done.
    package enum Durability: Sendable {
        /// `synchronous=FULL`: after it reached the disk.
        case full
        /// `synchronous=NORMAL`: it survives a killed process.
        case normal
    }
}
