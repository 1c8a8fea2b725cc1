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
                id: row.integer(0), screen: row.text(1),
                screenSince: Date(timeIntervalSince1970: row.real(2)), backend: row.optionalText(3),
                customBackends: row.text(4), visits: row.text(5), transitions: row.text(6),
                lastTransitionIndex: row.optionalInteger(7), items: [])
        }
        guard var stored = found else { return nil }
        stored.items = try StorageItemTable.items(of: stored.id, connection)
        return stored
    }

    /// Writes all but the items; returns the row's id.
    static func write(_ instance: AppInstance, _ stored: StoredRow, _ connection: Connection) throws
        -> Int64
    {
        let values: [Value] = [
            .text(stored.screen), .real(stored.screenSince.timeIntervalSince1970),
            .text(stored.backend), .text(stored.customBackends), .text(stored.visits),
            .text(stored.transitions), .integer(stored.lastTransitionIndex),
        ]
        guard stored.id == 0 else {
            try connection.run(
                """
                UPDATE places SET screen = ?, since = ?, backend = ?, \
                own = ?, visits = ?, paths = ?, last_path = ? WHERE id = ?
                """, values + [.integer(stored.id)])
            guard connection.changedRowCount == 1 else { throw RowDeleted() }
            return stored.id
        }
        try connection.run(
            """
            INSERT INTO places (screen, since, backend, own, visits, paths, \
            last_path, device, app) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, values + [.text(instance.device), .text(instance.app)])
        return connection.lastInsertedID
    }
}
