package import SQLite
import Synchronization

/// The isolated workspaces the backend serves; `main` exists from the start.
package final class BackendWorkspaces: Sendable {
    /// Exists from the start.
    package static let mainID = "main"

    private let database: Database
    private let ids: Mutex<Set<String>>

    init(database: Database) async throws {
        self.database = database
        let ids = try await database.read { connection in
            try connection.rows("SELECT id FROM workspaces") { $0.text(0) }
        }
        self.ids = Mutex(Set(ids))
    }

    func contains(_ id: String) -> Bool { ids.withLock { $0.contains(id) } }

    /// Creates a workspace; has no effect on an existing one.
    func create(_ id: String) async throws {
        try await database.write { connection in
            try connection.run("INSERT OR IGNORE INTO workspaces VALUES (?)", [.text(id)])
        }
        ids.withLock { _ = $0.insert(id) }
    }

    /// Deletes a workspace with its data; requests to it fail from now on.
    func delete(_ id: String) async throws {
        ids.withLock { _ = $0.remove(id) }
        try await database.write { connection in
            try connection.run("DELETE FROM workspaces WHERE id = ?", [.text(id)])
            try Self.clear(id, connection)
        }
    }

    /// Deletes the data of a workspace; sessions and other rows of its accounts are deleted with
    /// them.
    func clear(_ id: String) async throws {
        try await database.write { connection in try Self.clear(id, connection) }
    }

    private static func clear(_ id: String, _ connection: Connection) throws {
        let tables: [StaticSQL] = [
            "table_rows", "row_sequences", "accounts", "session_ends", "challenges", "mails",
            "mail_requests", "snapshots", "audit_entries",
        ]
        for table in tables {
            try connection.run("DELETE FROM \(table) WHERE workspace = ?", [.text(id)])
        }
    }

    /// All workspaces referenced in the database, existing or not.
    func referencedIDs() async throws -> Set<String> {
        try await database.read { connection in
            var ids: Set<String> = []
            let tables: [StaticSQL] = [
                "workspaces", "accounts", "challenges", "mails", "mail_requests", "snapshots",
                "switches", "token_lives", "table_rows",
            ]
            for table in tables {
                let name: StaticSQL = table.text == "workspaces" ? "id" : "workspace"
                // Skips from one workspace to the next by the index, past its many rows.
                ids.formUnion(
                    try connection.rows(
                        """
                        WITH RECURSIVE found(id) AS (
                            SELECT min(\(name)) FROM \(table) UNION ALL
                            SELECT (SELECT min(\(name)) FROM \(table) WHERE \(name) > found.id)
                            FROM found WHERE found.id IS NOT NULL)
                        SELECT id FROM found WHERE id IS NOT NULL
                        """
                    ) { $0.text(0) })
            }
            return ids
        }
    }
}

/// The scope of accounts and sessions: one contract in one workspace.
package struct Realm: Sendable, Hashable {
    package var workspace: String
    package var contract: String

    package init(workspace: String, contract: String) {
        self.workspace = workspace
        self.contract = contract
    }

    /// Reads the columns `workspace` and `contract` from column `first` on.
    init(_ row: Row, from first: Int) {
        self.init(workspace: row.text(first), contract: row.text(first + 1))
    }

    /// The values of the columns `workspace` and `contract`.
    package var sqlValues: [Value] { [.text(workspace), .text(contract)] }
}
