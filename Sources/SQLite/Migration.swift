/// The migrations applied to a file; applies the pending ones.
struct MigrationHistory {
    let handle: Handle
    let migrations: [Migration]
    private let appliedNames: [String]

    /// Reads the history; changes nothing. Throws `.unknownSchema` for a file that is not Foyer's
    /// or was created by a newer version.
    init(of handle: Handle, migrations: [Migration]) throws(DatabaseError) {
        precondition(
            Set(migrations.map(\.name)).count == migrations.count,
            "two migrations have the same name")
        self.handle = handle
        self.migrations = migrations
        appliedNames = try Self.appliedNames(on: handle)
        let knownNames = migrations.map(\.name)
        for (index, name) in appliedNames.enumerated()
        where index >= knownNames.count || knownNames[index] != name {
            throw DatabaseError(
                kind: .unknownSchema,
                detail: "\(handle.path): its schema has the unknown migration \"\(name)\"")
        }
    }

    /// Runs the pending migrations, in order, in one transaction.
    func applyPending() throws(DatabaseError) {
        guard appliedNames.count < migrations.count else { return }
        try handle.execute(script: "BEGIN IMMEDIATE")
        do {
            try runPending()
            try handle.execute(script: "COMMIT")
        } catch {
            if !handle.hasNoTransaction { try? handle.execute(script: "ROLLBACK") }
            throw error
        }
    }

    private func runPending() throws(DatabaseError) {
        try handle.execute(
            script: """
                CREATE TABLE IF NOT EXISTS foyer_history (
                    position INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE
                ) STRICT
                """)
        let connection = Connection(handle)
        for (index, migration) in migrations.enumerated().dropFirst(appliedNames.count) {
            try handle.execute(script: migration.sql)
            try connection.run(
                "INSERT INTO foyer_history VALUES (?, ?)", [.integer(index), .text(migration.name)])
        }
    }

    /// The names in the file, in order.
    private static func appliedNames(on handle: Handle) throws(DatabaseError) -> [String] {
        let connection = Connection(handle)
        let hasHistory = try connection.exists(
            "SELECT 1 FROM sqlite_schema WHERE name = 'foyer_history'")
        guard hasHistory else {
            guard try !connection.exists("SELECT 1 FROM sqlite_schema") else {
                throw DatabaseError(
                    kind: .unknownSchema, detail: "\(handle.path): not a Foyer database")
            }
            return []
        }
        return try connection.texts("SELECT name FROM foyer_history ORDER BY position")
    }
}

/// One step of a schema's history, applied once, in order, in a transaction.
package struct Migration: Sendable {
    /// Its stable name; a file with an unknown name is rejected.
    package let name: String
    /// Statements separated by `;`.
    package let sql: String

    package init(_ name: String, sql: String) {
        self.name = name
        self.sql = sql
    }

    /// The SQL expression that replaces each text on the left by the one on its right, in order.
    package static func replacing(
        _ replacements: KeyValuePairs<String, String>, in expression: String
    ) -> String { replacements.reduce(expression) { "replace(\($0), '\($1.key)', '\($1.value)')" } }
}
