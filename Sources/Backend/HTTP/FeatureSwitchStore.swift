import SQLite
import Synchronization

/// The contracts' switches that were set, by realm; the others are as at
/// first. Read with every request, so they are kept in memory beside the
/// table.
final class FeatureSwitchStore: Sendable {
    private let database: Database
    private let overrides: Mutex<[Key: Bool]>

    private struct Key: Hashable {
        var realm: Realm
        var name: String
    }

    init(database: Database) async throws {
        self.database = database
        let rows = try await database.read { connection in
            try connection.rows("SELECT workspace, contract, name, is_on FROM switches") { row in
                let realm = Realm(workspace: row.text(0), contract: row.text(1))
                return (Key(realm: realm, name: row.text(2)), row.integer(3) != 0)
            }
        }
        overrides = Mutex(Dictionary(rows) { $1 })
    }

    func isOn(_ given: FeatureSwitch, in realm: Realm) -> Bool {
        let key = Key(realm: realm, name: given.name)
        return overrides.withLock { $0[key] } ?? given.isOnByDefault
    }

    func set(_ given: FeatureSwitch, isOn: Bool, in realm: Realm) async throws {
        try await database.write { connection in
            try connection.run(
                "INSERT OR REPLACE INTO switches VALUES (?, ?, ?, ?)",
                [
                    .text(realm.workspace), .text(realm.contract), .text(given.name),
                    .integer(isOn ? 1 : 0),
                ])
        }
        let key = Key(realm: realm, name: given.name)
        overrides.withLock { $0[key] = isOn }
    }

    /// An emptied workspace has everything as at first.
    func clear(workspace: String) async throws {
        try await database.write { connection in
            try connection.run("DELETE FROM switches WHERE workspace = ?", [.text(workspace)])
        }
        overrides.withLock { set in set = set.filter { $0.key.realm.workspace != workspace } }
    }
}
