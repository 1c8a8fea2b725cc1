import FoundationEssentials
import SQLite

/// The database table of devices.
enum DeviceTable {
    private static let columns: StaticSQL = """
        id, workspace, label, build, sensor, enrolled, next, size, \
        created_at, uuid, orientation, appearance, text_size
        """

    static func insert(_ device: Device, _ connection: Connection) throws {
        try connection.run(
            """
            INSERT INTO devices (\(columns)) \
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(device.id), .text(device.workspace),
                .text(device.label), .text(device.build.rawValue),
                .text(device.biometrics.kind.rawValue),
                .bool(device.biometrics.isEnrolled),
                .text(device.biometrics.nextResult.rawValue),
                .text(device.display.size),
                .real(device.createdAt.timeIntervalSince1970),
                .text(device.uuid),
                .text(device.display.orientation.rawValue),
                .text(device.display.appearance.rawValue),
                .text(device.display.textSize.rawValue),
            ])
    }

    /// Nil if the workspace has no such device.
    static func device(_ id: String, _ workspace: String, _ connection: Connection) throws
        -> Device?
    {
        try connection.row(
            "SELECT \(columns) FROM devices WHERE id = ? AND workspace = ?",
            [.text(id), .text(workspace)], device)
    }

    /// A device of any workspace; nil if there is none.
    static func device(_ id: String, _ connection: Connection) throws -> Device? {
        try connection.row("SELECT \(columns) FROM devices WHERE id = ?", [.text(id)], device)
    }

    /// Up to `limit` devices, newest first, created before the device `before`; and the total
    /// count.
    static func page(_ workspace: String, before: String?, limit: Int, _ connection: Connection)
        throws -> (devices: [Device], total: Int)
    {
        let devices = try connection.rows(
            """
            SELECT \(columns) FROM devices WHERE workspace = ?1 AND \
            sequence < coalesce((SELECT sequence FROM devices \
            WHERE id = ?2 AND workspace = ?1), 9223372036854775807) \
            ORDER BY sequence DESC LIMIT ?3
            """, [.text(workspace), .text(before), .integer(limit)], device)
        let total = try connection.integer(
            "SELECT count(*) FROM devices WHERE workspace = ?", [.text(workspace)])
        return (devices, Int(total ?? 0))
    }

    /// Updates the mutable columns, and the copy of the label in the sessions' search text.
    static func update(_ device: Device, _ connection: Connection) throws {
        try connection.run(
            """
            UPDATE devices SET label = ?, build = ?, sensor = ?, \
            enrolled = ?, next = ?, size = ?, orientation = ?, \
            appearance = ?, text_size = ? WHERE id = ?
            """,
            [
                .text(device.label), .text(device.build.rawValue),
                .text(device.biometrics.kind.rawValue),
                .bool(device.biometrics.isEnrolled),
                .text(device.biometrics.nextResult.rawValue),
                .text(device.display.size),
                .text(device.display.orientation.rawValue),
                .text(device.display.appearance.rawValue), .text(device.display.textSize.rawValue),
                .text(device.id),
            ])
        guard connection.changedRowCount == 1 else { throw RowDeleted() }
        try connection.run(
            "UPDATE sessions SET label = ?1 WHERE device = ?2 AND label <> ?1",
            [.text(device.label), .text(device.id)])
    }

    /// The number of the workspace's next device, from 1.
    static func takeNextNumber(_ workspace: String, _ connection: Connection) throws -> Int {
        try connection.run(
            """
            UPDATE workspaces SET devices_made = devices_made + 1 \
            WHERE id = ?
            """, [.text(workspace)])
        let count = try connection.integer(
            "SELECT devices_made FROM workspaces WHERE id = ?", [.text(workspace)])
        return Int(count ?? 1)
    }

    private static func device(_ row: Row) -> Device {
        Device(
            id: row.text(0), workspace: row.text(1), label: row.text(2),
            build: Device.Build(rawValue: row.text(3)) ?? .debug,
            biometrics: Device.Biometrics(
                kind: .init(rawValue: row.text(4)) ?? .none, isEnrolled: row.bool(5),
                nextResult: .init(rawValue: row.text(6)) ?? .match),
            display: Device.Display(
                size: row.text(7), orientation: .init(rawValue: row.text(10)) ?? .portrait,
                appearance: .init(rawValue: row.text(11)) ?? .system,
                textSize: .init(rawValue: row.text(12)) ?? .default),
            createdAt: Date(timeIntervalSince1970: row.real(8)), uuid: row.text(9))
    }
}

/// The row to update was deleted meanwhile, with its workspace.
struct RowDeleted: Error {}
