import SQLite
import Synchronization

/// Settings by realm and name, each a number. A setting without a row has its default.
///
/// Read for every request, so the table is also held in memory.
final class RealmSettings: Sendable {
    private let database: Database
    private let table: StaticSQL
    private let nameColumn: StaticSQL
    private let values: Mutex<[Key: Int]>

    private struct Key: Hashable {
        var realm: Realm
        var name: String
    }

    /// The columns of `table` are workspace, contract, name and value.
    init(_ table: StaticSQL, nameColumn: StaticSQL, database: Database) async throws {
        self.database = database
        self.table = table
        self.nameColumn = nameColumn
        values = Mutex(try await Self.load(table, database))
    }

    private static func load(_ table: StaticSQL, _ database: Database) async throws -> [Key: Int] {
        let rows = try await database.read { connection in
            try connection.rows("SELECT * FROM \(table)") { row in
                (Key(realm: Realm(row, from: 0), name: row.text(2)), Int(row.integer(3)))
            }
        }
        return Dictionary(rows) { $1 }
    }

    /// The value of the first of `names` that has one.
    func value(of names: String..., in realm: Realm) -> Int? {
        values.withLock { values in
            for name in names where !values.isEmpty {
                if let value = values[Key(realm: realm, name: name)] { return value }
            }
            return nil
        }
    }

    /// Sets several to one value in one write; nil restores their default.
    func set(_ names: [String], to value: Int?, in realm: Realm) async throws {
        guard !names.isEmpty else { return }
        try await database.write { [table, nameColumn] connection in
            for name in names {
                let key = realm.sqlValues + [.text(name)]
                if let value {
                    try connection.run(
                        "INSERT OR REPLACE INTO \(table) VALUES (?, ?, ?, ?)",
                        key + [.integer(value)])
                } else {
                    try connection.run(
                        """
                        DELETE FROM \(table)
                        WHERE workspace = ? AND contract = ? AND \(nameColumn) = ?
                        """, key)
                }
            }
        }
        values.withLock { values in
            for name in names { values[Key(realm: realm, name: name)] = value }
        }
    }

    /// Reads the table again after other code wrote it.
    func reload() async throws {
        let rows = try await Self.load(table, database)
        values.withLock { $0 = rows }
    }

    /// Restores all defaults of a workspace.
    func clear(workspace: String) async throws {
        try await database.write { [table] connection in
            try connection.run("DELETE FROM \(table) WHERE workspace = ?", [.text(workspace)])
        }
        values.withLock { values in values = values.filter { $0.key.realm.workspace != workspace } }
    }
}

/// A contract feature that a workspace can turn on or off, as an administrator of the real server
/// would in its dashboard.
package struct FeatureSwitch: Sendable, Equatable {
    let name: String
    /// Display text: the effect of turning it on.
    let text: String
    let isOnByDefault: Bool

    package init(name: String, text: String, isOnByDefault: Bool) {
        self.name = name
        self.text = text
        self.isOnByDefault = isOnByDefault
    }
}
