import FoundationEssentials
import SQLite

/// The database table of app instances; secrets are sealed by the caller.
enum AppInstanceTable {
    struct StoredRow: Sendable {
        var id: Int64
        var screen: String
        var screenSince: Date
        var backend: String?
        var customBackends: String
        var visits: String
        var transitions: String
        var lastTransitionIndex: Int64?
        var items: [StorageItem]
    }

    static func read(device: String, app: String, _ connection: Connection) throws -> StoredRow? {
        let found = try connection.row(
            """
            SELECT id, screen, since, backend, own, visits, paths, last_path \
            FROM places WHERE device = ? AND app = ?
            """, [.text(device), .text(app)]
        ) { row in
            StoredRow(
                id: row.integer(0), screen: row.text(1), screenSince: row.date(2),
                backend: row.optionalText(3), customBackends: row.text(4), visits: row.text(5),
                transitions: row.text(6), lastTransitionIndex: row.optionalInteger(7), items: [])
        }
        guard var stored = found else { return nil }
        stored.items = try StorageItemTable.items(of: stored.id, connection)
        return stored
    }

    /// Writes all but the items; returns the row's id.
    static func write(_ instance: AppInstance, _ stored: StoredRow, _ connection: Connection) throws
        -> Int64
    {
        let columns: Columns = [
            ("screen", .text(stored.screen)), ("since", .date(stored.screenSince)),
            ("backend", .text(stored.backend)), ("own", .text(stored.customBackends)),
            ("visits", .text(stored.visits)), ("paths", .text(stored.transitions)),
            ("last_path", .integer(stored.lastTransitionIndex)),
        ]
        guard stored.id == 0 else {
            let exists = try connection.update(
                "places", columns, where: "id", is: .integer(stored.id))
            guard exists else { throw RowDeleted() }
            return stored.id
        }
        let key: Columns = [("device", .text(instance.device)), ("app", .text(instance.app))]
        try connection.insert(columns + key, into: "places")
        return connection.lastInsertedID
    }
}
