import Apps
import FoundationEssentials
import SQLite
import Web

/// An item of a device's storage, with its unmasked value.
struct StorageItem: Sendable, Equatable {
    var area: StorageKey.Area
    var key: String
    /// The text of a string; the JSON text of anything else.
    var value: String
    /// Whether `value` is JSON text, so that a number stays one.
    var isJSON: Bool
    var writtenAt: Date

    /// The value as it was captured.
    var json: JSON {
        guard isJSON else { return .string(value) }
        return (try? JSON(parsing: value)) ?? .string(value)
    }
}

extension StorageItem {
    init(_ declared: StorageKey, _ json: JSON, at writtenAt: Date) {
        if declared.isSecondsFromNow, let seconds = json.scalarText.flatMap(Double.init),
            seconds.isFinite
        {
            value = writtenAt.addingTimeInterval(seconds).iso8601
            isJSON = false
        } else if let text = json.string {
            value = text
            isJSON = false
        } else {
            value = json.description
            isJSON = true
        }
        area = declared.area
        key = declared.key
        self.writtenAt = writtenAt
    }
}

/// The database table of storage items; keychain values are sealed by the caller.
enum StorageItemTable {
    static func items(of instanceRow: Int64, _ connection: Connection) throws -> [StorageItem] {
        try connection.rows(
            "SELECT area, key, value, is_json, written_at FROM items WHERE place = ?",
            [.integer(instanceRow)]
        ) { row in
            StorageItem(
                area: StorageKey.Area(rawValue: row.text(0)) ?? .keychain, key: row.text(1),
                value: row.text(2), isJSON: row.bool(3), writtenAt: row.date(4))
        }
    }

    static func write(_ item: StorageItem, of instanceRow: Int64, _ connection: Connection) throws {
        try connection.run(
            """
            INSERT INTO items (place, key, area, value, is_json, written_at) VALUES (?, ?, ?, ?, \
            ?, ?) ON CONFLICT (place, key) DO UPDATE SET area = excluded.area, value = \
            excluded.value, is_json = excluded.is_json, written_at = excluded.written_at
            """,
            [
                .integer(instanceRow), .text(item.key), .text(item.area.rawValue),
                .text(item.value), .bool(item.isJSON), .date(item.writtenAt),
            ])
    }

    static func delete(_ key: String, of instanceRow: Int64, _ connection: Connection) throws {
        try connection.run(
            "DELETE FROM items WHERE place = ? AND key = ?", [.integer(instanceRow), .text(key)])
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
