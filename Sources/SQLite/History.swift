/// Which migrations a file has seen, and the running of those it has not.
struct History {
    let handle: Handle
    let migrations: [Migration]
    private let applied: [String]

    /// Reads the history; changes nothing. Throws `.foreign` for a file that
    /// is not ours or was made by a version that knows more than we do.
    init(of handle: Handle, migrations: [Migration]) throws(DatabaseError) {
        precondition(
            Set(migrations.map(\.name)).count == migrations.count,
            "two migrations have the same name")
        self.handle = handle
        self.migrations = migrations
        applied = try Self.applied(on: handle)
        let known = migrations.map(\.name)
        for (index, name) in applied.enumerated() where index >= known.count || known[index] != name
        {
            throw DatabaseError(
                kind: .foreign,
                detail: "\(handle.path): its schema has the unknown step \"\(name)\"",
                mend: DatabaseError.Kind.foreign.mend)
        }
    }

    /// Runs what is missing, in order, all in one transaction.
    func complete() throws(DatabaseError) {
        guard applied.count < migrations.count else { return }
        try handle.execute(script: "BEGIN IMMEDIATE")
        do {
            try run()
            try handle.execute(script: "COMMIT")
        } catch {
            if !handle.isOutsideTransaction { try? handle.execute(script: "ROLLBACK") }
            throw error
        }
    }

    private func run() throws(DatabaseError) {
        try handle.execute(
            script: """
                CREATE TABLE IF NOT EXISTS foyer_history (
                    position INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE
                ) STRICT
                """)
        let connection = Connection(handle)
        for (index, migration) in migrations.enumerated().dropFirst(applied.count) {
            try handle.execute(script: migration.sql)
            try connection.run(
                "INSERT INTO foyer_history VALUES (?, ?)", [.integer(index), .text(migration.name)])
        }
    }

    /// The names in the file, in order.
    private static func applied(on handle: Handle) throws(DatabaseError) -> [String] {
        let connection = Connection(handle)
        let isOurs = try connection.exists(
            "SELECT 1 FROM sqlite_schema WHERE name = 'foyer_history'")
        guard isOurs else {
            guard try !connection.exists("SELECT 1 FROM sqlite_schema") else {
                throw DatabaseError(
                    kind: .foreign, detail: "\(handle.path): a database, but not one of Foyer",
                    mend: DatabaseError.Kind.foreign.mend)
            }
            return []
        }
        let names: [String]
        do {
            names = try connection.rows("SELECT name FROM foyer_history ORDER BY position") {
                $0.text(0)
            }
        } catch let error as DatabaseError { throw error } catch {
            preconditionFailure("reading a name throws only our own errors")
        }
        return names
    }
}
