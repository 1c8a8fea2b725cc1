import CSQLite

/// One SQLite connection and its prepared statements, owned by one queue.
///
/// Not `Sendable`: its owner (the writer or a reader) accesses it only on its own queue, so it is
/// opened without SQLite's mutexes.
final class Handle {
    let path: String
    private var database: OpaquePointer?
    /// Prepared statements, at most `statementLimit`.
    private var statements: [StaticSQL: Statement] = [:]
    private static let statementLimit = 256
    /// Pages in the WAL after this connection's last commit or truncation.
    let walSize = WALSize()

    /// How often `statement(for:)` had to prepare; used by tests.
    private(set) var preparedCount = 0

    /// Opens the file at `path`, which exists unless it is `:memory:`.
    init(path: String) throws(DatabaseError) {
        self.path = path
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2(
            path, &database, path == ":memory:" ? flags | SQLITE_OPEN_MEMORY : flags, nil)
        guard code == SQLITE_OK, database != nil else {
            let error = failure(code)
            sqlite3_close_v2(database)
            database = nil
            throw error
        }
        sqlite3_extended_result_codes(database, 1)
        // How long a reader may delay a truncating checkpoint, and with it the next write.
        sqlite3_busy_timeout(database, 250)
    }

    deinit { close() }

    /// Finalizes the statements and closes; a second call does nothing.
    func close() {
        statements.removeAll()
        guard let database else { return }
        self.database = nil
        sqlite3_close_v2(database)
    }

    /// Measures the WAL at every commit, which also disables SQLite's own checkpoints
    /// (`sqlite3_wal_autocheckpoint` is such a hook itself).
    func trackWALSize() {
        sqlite3_wal_hook(database, walCommitted, Unmanaged.passUnretained(walSize).toOpaque())
    }

    /// A reader must not checkpoint, not even as the last one to close.
    func disableCheckpoints() {
        sqlite3_wal_autocheckpoint(database, 0)
        _ = foyer_no_checkpoint_on_close(database)
    }

    /// Copies the WAL into the file, and truncates it if `truncating`.
    ///
    /// If readers delay it, it is left for the next time.
    func checkpoint(truncating: Bool) {
        let code = sqlite3_wal_checkpoint_v2(
            database, nil, truncating ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE, nil,
            nil)
        if truncating && code == SQLITE_OK { walSize.pages = 0 }
    }

    /// Whether no transaction is open: SQLite ends one by itself when the disk is full or fails.
    var hasNoTransaction: Bool { database == nil || sqlite3_get_autocommit(database) != 0 }

    /// Whether a foreign key that is checked at COMMIT is still violated.
    var hasDeferredViolation: Bool {
        var current: Int32 = 0
        var highest: Int32 = 0
        sqlite3_db_status(database, SQLITE_DBSTATUS_DEFERRED_FKS, &current, &highest, 0)
        return current != 0
    }

    var changedRowCount: Int { Int(sqlite3_changes64(database)) }

    var lastInsertedID: Int64 { sqlite3_last_insert_rowid(database) }

    /// Runs any number of statements separated by `;`, without values.
    func execute(script: String) throws(DatabaseError) {
        let code = sqlite3_exec(database, script, nil, nil, nil)
        guard code == SQLITE_OK else { throw failure(code, sql: script) }
    }

    /// The cached or newly prepared statement of this text.
    func statement(for sql: StaticSQL) throws(DatabaseError) -> Statement {
        if let cached = statements[sql], !cached.isInUse { return cached }
        let statement = try prepare(sql.text)
        if statements.count >= Self.statementLimit {
            statements = statements.filter { $0.value.isInUse }
        }
        // If the cached statement is in use by an outer query, it stays cached.
        if statements[sql] == nil { statements[sql] = statement }
        return statement
    }

    /// The error for a result code, with SQLite's current message.
    func failure(_ code: Int32, sql: String? = nil, isRunning: Bool = false) -> DatabaseError {
        let isSafe = !isRunning || code & 0xff == SQLITE_CONSTRAINT
        let message = isSafe && database != nil ? sqlite3_errmsg(database) : sqlite3_errstr(code)
        return DatabaseError(
            code: code, message: message.map { String(cString: $0) } ?? "",
            systemError: database == nil ? 0 : sqlite3_system_errno(database), path: path, sql: sql)
    }

    private func prepare(_ text: String) throws(DatabaseError) -> Statement {
        var pointer: OpaquePointer?
        var isSingle = true
        var text = text
        let code = text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                var tail: UnsafePointer<CChar>?
                let code = sqlite3_prepare_v3(
                    database, characters.baseAddress, Int32(characters.count),
                    UInt32(SQLITE_PREPARE_PERSISTENT), &pointer, &tail)
                if let tail, let start = characters.baseAddress {
                    isSingle = characters[(tail - start)...].allSatisfy {
                        $0 == 0x20 || $0 == 0x0a || $0 == 0x09 || $0 == 0x3b
                    }
                }
                return code
            }
        }
        guard code == SQLITE_OK else { throw failure(code, sql: text) }
        guard let pointer else { throw .misuse("no statement", path: path, sql: text) }
        preparedCount += 1
        let statement = Statement(pointer: pointer, sql: text)
        guard isSingle else { throw .misuse("more than one statement", path: path, sql: text) }
        return statement
    }
}

/// Where the WAL hook stores the number of pages for its connection.
final class WALSize { var pages = 0 }

/// Called by SQLite on the connection's own queue after each commit.
private func walCommitted(
    _ context: UnsafeMutableRawPointer?, _ database: OpaquePointer?, _ name: UnsafePointer<CChar>?,
    _ pages: Int32
) -> Int32 {
    if let context {
        // The handle owns the object and closes the connection before releasing it.
        Unmanaged<WALSize>.fromOpaque(context).takeUnretainedValue().pages = Int(pages)
    }
    return SQLITE_OK
}
