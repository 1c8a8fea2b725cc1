import CSQLite
import Glibc

/// One SQLite file: one writer with group commit, and readers beside it.
///
/// Writes and long reads run on the connections' own queues, and so do other reads unless a reader
/// is idle: then they run on the caller's thread, where a few rows cost less than two thread
/// switches. At most 10,000 reads and as many writes wait; beyond that they throw `.busy`. A canceled
/// task's read or write still runs to completion.
package final class Database: Sendable {
    private let writer: Writer
    /// Nil in memory, where the writer's connection serves reads too.
    private let readers: ReaderPool?

    /// Opens or creates the file (0600) and applies pending migrations.
    ///
    /// The caller ensures that no other process opens it: two writers can corrupt it (see
    /// `Writer`). `path` may be `:memory:` for tests (one connection serves reads and writes).
    package init(path: String, durability: Durability, migrations: [Migration], readers: Int = 2)
        throws(DatabaseError)
    {
        precondition(readers > 0, "a database needs a reader")
        let isInMemory = path == ":memory:"
        let isNew = isInMemory ? false : try Self.createFile(path)
        let handle = try Handle(path: path)
        let history = try MigrationHistory(of: handle, migrations: migrations)
        if isInMemory {
            try handle.execute(script: "PRAGMA foreign_keys = 1")
        } else {
            // A new file contains nothing that could be lost, and is written to disk at once.
            try Self.configureWriter(handle, isNew ? "OFF" : durability.rawValue)
        }
        try history.applyPending()
        if isNew {
            try handle.execute(
                script: "PRAGMA synchronous = \(durability.rawValue); PRAGMA wal_checkpoint")
        }
        writer = Writer(handle: handle)
        var handles: [Handle] = []
        for _ in 0..<(isInMemory ? 0 : readers) { handles.append(try Self.openReader(path)) }
        self.readers = isInMemory ? nil : ReaderPool(handles: handles, path: path)
    }

    /// A read or a write on a connection.
    package typealias Body<Value> = @Sendable (Connection) throws -> Value

    /// Reads a consistent snapshot on one of the reader connections.
    ///
    /// A read that may take more than about a millisecond, such as a search, is long, so that it
    /// does not occupy the caller's thread.
    package func read<Value: Sendable>(isLong: Bool = false, _ body: @escaping Body<Value>)
        async throws -> Value
    {
        if !isLong, let result = readers?.readIfIdle(body) { return try result.get() }
        return try await withUnsafeThrowingContinuation { continuation in
            let job = QueryJob(isReadOnly: true, continuation, body)
            if let readers { readers.submit(job) } else { writer.submit(job) }
        }
    }

    /// Writes in a transaction and returns after it is committed.
    ///
    /// Writes that wait at the same time share one commit, each in its own savepoint: one that
    /// throws undoes only itself.
    package func write<Value: Sendable>(_ body: @escaping Body<Value>) async throws -> Value {
        try await withUnsafeThrowingContinuation { continuation in
            writer.submit(QueryJob(isReadOnly: false, continuation, body))
        }
    }

    /// Repeats `step`, each in its own transaction, until the backlog at the time of the call is
    /// done; does nothing if `isBehind` is false.
    ///
    /// `isBehind` is evaluated at the end of each step's transaction: with concurrent writes there
    /// would always be more by the time of the next.
    package func writeInSteps(while isBehind: @escaping Body<Bool>, _ step: @escaping Body<Void>)
        async throws
    {
        guard try await read(isBehind) else { return }
        while try await write({ connection in
            try step(connection)
            return try isBehind(connection)
        }) {}
    }

    /// Finishes waiting jobs, checkpoints and closes; later calls throw.
    package func close() async {
        // Readers close first, so that none blocks the writer's checkpoint, and only the last
        // connection to close may checkpoint.
        await readers?.close()
        await writer.close()
    }

    /// How many statements the writer has prepared so far.
    func preparedCount() async -> Int { await writer.preparedCount() }

    /// When a commit counts as done.
    package enum Durability: String, Sendable {
        /// `synchronous=FULL`: after it reached the disk.
        case full = "FULL"
        /// `synchronous=NORMAL`: it survives a killed process.
        case normal = "NORMAL"
    }

    /// Creates the file if there is none; SQLite copies its mode to the accompanying files. Returns
    /// whether the file has at most one page: it is new, or was killed during its creation, so that
    /// everything else is in the log.
    private static func createFile(_ path: String) throws(DatabaseError) -> Bool {
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(errno, path: path) }
        defer { _ = Glibc.close(descriptor) }
        return lseek(descriptor, 0, SEEK_END) <= 4_096
    }

    /// Configures the writing connection; the file's schema has been verified by now.
    private static func configureWriter(_ handle: Handle, _ synchronous: String)
        throws(DatabaseError)
    {
        guard chmod(handle.path, 0o600) == 0 else { throw .system(errno, path: handle.path) }
        try handle.execute(script: "PRAGMA synchronous = \(synchronous)")
        let mode = try Connection(handle).text("PRAGMA journal_mode = WAL")
        guard mode == "wal" else {
            throw DatabaseError(
                kind: .unwritable,
                detail: "\(handle.path): this file system cannot hold a write-ahead log")
        }
        try handle.execute(
            script: """
                PRAGMA foreign_keys = 1;
                PRAGMA journal_size_limit = 16777216;
                \(memoryLimits)
                """)
        handle.trackWALSize()
    }

    private static func openReader(_ path: String) throws(DatabaseError) -> Handle {
        let handle = try Handle(path: path)
        handle.disableCheckpoints()
        try handle.execute(script: "PRAGMA query_only = 1;" + memoryLimits)
        return handle
    }

    /// Settings of both kinds of connection.
    private static let memoryLimits =
        "PRAGMA cache_size = -4096; PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 0;"
}
