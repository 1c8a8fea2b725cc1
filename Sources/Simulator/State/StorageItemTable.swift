import Apps
import FoundationEssentials
import SQLite

/// The database table of storage items; keychain values are sealed by the caller.
enum StorageItemTable {
    static func items(of instanceRow: Int64, _ connection: Connection) throws -> [StorageItem] {
        try connection.rows(
            """
            SELECT area, key, value, is_json, written_at FROM items \
            WHERE place = ?
            """, [.integer(instanceRow)]
        ) { row in
            StorageItem(
                area: StorageKey.Area(rawValue: row.text(0)) ?? .keychain, key: row.text(1),
                value: row.text(2), isJSON: row.bool(3),
                writtenAt: Date(timeIntervalSince1970: row.real(4)))
        }
    }

    static func write(_ item: StorageItem, of instanceRow: Int64, _ connection: Connection) throws {
        try connection.run(
            """
            INSERT INTO items (place, key, area, value, is_json, written_at) \
            VALUES (?, ?, ?, ?, ?, ?) \
            ON CONFLICT (place, key) DO UPDATE SET area = excluded.area, \
            value = excluded.value, is_json = excluded.is_json, \
            written_at = excluded.written_at
            """,
            [
                .integer(instanceRow), .text(item.key), .text(item.area.rawValue),
                .text(item.value), .bool(item.isJSON),
                .real(item.writtenAt.timeIntervalSince1970),
            ])
    }

    static func delete(_ key: String, of instanceRow: Int64, _ connection: Connection) throws {
        try connection.run(
            "DELETE FROM items WHERE place = ? AND key = ?",
            [.integer(instanceRow), .text(key)])
    }

    /// The sealed value of one key of an app on a device.
    static func value(_ key: String, of instance: AppInstance, _ connection: Connection) throws -> (
        area: StorageKey.Area, value: String
    )? {
        try connection.row(
            """
            SELECT i.area, i.value FROM places p JOIN items i \
            ON i.place = p.id WHERE p.device = ? AND p.app = ? AND i.key = ?
            """, [.text(instance.device), .text(instance.app), .text(key)]
        ) { row in (StorageKey.Area(rawValue: row.text(0)) ?? .keychain, row.text(1)) }
    }
}
