package import FoundationEssentials
import SQLite
import Web

/// A named state of a device: storage and screens of all its apps or of one. The embedded backend's
/// state is stored separately.
package struct Snapshot: Sendable, Equatable {
    package var id: String
    /// The key of pages.
    package var sequence: Int64
    package var workspace: String
    package var name: String
    package var device: String
    /// The snapshot's only app; nil for all.
    package var app: String?
    /// Apps that had been started.
    package var apps: [String]
    /// The embedded contracts whose half the backend stores.
    package var contracts: [String]
    package var createdAt: Date
    /// Size of the device's half before sealing.
    package var byteCount: Int

    package static let maxNameLength = 80
    package static let maxPerWorkspace = 50
    static let maxByteCount = 4 << 20
}

extension Snapshot {
    /// Why `name` is invalid; nil if it is valid.
    package static func validationError(forName name: String) -> String? {
        let isBlank = name.unicodeScalars.allSatisfy { $0.properties.isWhitespace }
        if isBlank { return "is empty" }
        if name.count > maxNameLength { return "is longer than \(maxNameLength) characters" }
        let hasControl = name.unicodeScalars.contains { $0.properties.generalCategory == .control }
        return hasControl ? "contains a control character" : nil
    }
}

/// The database table of snapshots.
enum DeviceSnapshotTable {
    private static let columns: StaticSQL = """
        id, sequence, workspace, name, device, app, apps, contracts, taken_at, bytes
        """

    static func insert(_ snapshot: Snapshot, _ body: String, _ connection: Connection) throws {
        try connection.insert(
            [
                ("id", .text(snapshot.id)), ("workspace", .text(snapshot.workspace)),
                ("name", .text(snapshot.name)), ("device", .text(snapshot.device)),
                ("app", .text(snapshot.app)), ("apps", .text(jsonList(snapshot.apps))),
                ("contracts", .text(jsonList(snapshot.contracts))),
                ("taken_at", .date(snapshot.createdAt)), ("bytes", .integer(snapshot.byteCount)),
                ("body", .text(body)),
            ], into: "snapshots")
    }

    static func snapshot(_ id: String, _ workspace: String, _ connection: Connection) throws
        -> Snapshot?
    {
        try connection.row(
            "SELECT \(columns) FROM snapshots WHERE id = ? AND workspace = ?",
            [.text(id), .text(workspace)], snapshot)
    }

    static func body(_ id: String, _ connection: Connection) throws -> String? {
        try connection.text("SELECT body FROM snapshots WHERE id = ?", [.text(id)])
    }

    static func page(
        _ workspace: String, name: String?, before: Int64?, limit: Int, _ connection: Connection
    ) throws -> (items: [Snapshot], total: Int) {
        let condition: StaticSQL = "workspace = ?1 AND (?2 IS NULL OR name = ?2)"
        let values: [Value] = [.text(workspace), .text(name)]
        let total = try connection.integer(
            "SELECT count(*) FROM snapshots WHERE \(condition)", values)
        let items = try connection.rows(
            """
            SELECT \(columns) FROM snapshots WHERE \(condition) AND sequence < ?3 \
            ORDER BY sequence DESC LIMIT ?4
            """, values + [.integer(before ?? .max), .integer(limit)], snapshot)
        return (items, Int(total ?? 0))
    }

    static func delete(_ id: String, _ connection: Connection) throws {
        try connection.run("DELETE FROM snapshots WHERE id = ?", [.text(id)])
    }

    private static func snapshot(_ row: Row) -> Snapshot {
        Snapshot(
            id: row.text(0), sequence: row.integer(1), workspace: row.text(2), name: row.text(3),
            device: row.text(4), app: row.optionalText(5), apps: list(row.text(6)),
            contracts: list(row.text(7)), createdAt: row.date(8), byteCount: Int(row.integer(9)))
    }

    private static func jsonList(_ values: [String]) -> String {
        JSON.array(values.map(JSON.string)).description
    }

    private static func list(_ text: String) -> [String] {
        ((try? JSON(parsing: text))?.elements ?? []).compactMap(\.string)
    }
}

/// The database table of running restores.
///
/// The server's half and the device's are in two databases without a common transaction: the row is
/// inserted before the first and deleted with the second, so that the next start finds a restore
/// that a kill interrupted.
enum RestoreTable {
    /// False if the snapshot no longer exists.
    static func begin(_ id: String, _ connection: Connection) throws -> Bool {
        try connection.run(
            "INSERT OR IGNORE INTO restores SELECT id FROM snapshots WHERE id = ?", [.text(id)])
        return try connection.exists("SELECT 1 FROM restores WHERE snapshot = ?", [.text(id)])
    }

    static func end(_ id: String, _ connection: Connection) throws {
        try connection.run("DELETE FROM restores WHERE snapshot = ?", [.text(id)])
    }

    /// The running restores, with their workspaces.
    static func pending(_ connection: Connection) throws -> [(id: String, workspace: String)] {
        try connection.rows(
            """
            SELECT snapshots.id, snapshots.workspace FROM restores
            JOIN snapshots ON snapshots.id = restores.snapshot
            ORDER BY snapshots.sequence
            """
        ) { (id: $0.text(0), workspace: $0.text(1)) }
    }
}

extension Migration {
    static let restores = Migration(
        "devices-restores",
        sql: """
            -- Snapshots whose halves are being put back.
            CREATE TABLE restores (
                snapshot TEXT PRIMARY KEY
                    REFERENCES snapshots (id) ON DELETE CASCADE
            ) STRICT, WITHOUT ROWID;
            """)
}
