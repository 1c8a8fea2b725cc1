import SQLite
import Synchronization

/// Settings of the contracts' feature switches by realm; a switch without one has its default.
///
/// Read for every request, so the table is also held in memory.
package final class FeatureSwitchStore: Sendable {
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

    package func isOn(_ featureSwitch: FeatureSwitch, in realm: Realm) -> Bool {
        let key = Key(realm: realm, name: featureSwitch.name)
        return overrides.withLock { $0[key] } ?? featureSwitch.isOnByDefault
    }

    func set(_ featureSwitch: FeatureSwitch, isOn: Bool, in realm: Realm) async throws {
        try await database.write { connection in
            try connection.run(
                "INSERT OR REPLACE INTO switches VALUES (?, ?, ?, ?)",
                realm.sqlValues + [.text(featureSwitch.name), .integer(isOn ? 1 : 0)])
        }
        let key = Key(realm: realm, name: featureSwitch.name)
        overrides.withLock { $0[key] = isOn }
    }

    /// Resets all switches of a workspace to their defaults.
    func clear(workspace: String) async throws {
        try await database.write { connection in
            try connection.run("DELETE FROM switches WHERE workspace = ?", [.text(workspace)])
        }
        overrides.withLock { entries in
            entries = entries.filter { $0.key.realm.workspace != workspace }
        }
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
