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

    /// Why `name` is invalid; nil if it is valid.
    package static func validationError(forName name: String) -> String? {
        let isBlank = name.unicodeScalars.allSatisfy { $0.properties.isWhitespace }
        if isBlank { return "is empty" }
        if name.count > maxNameLength { return "is longer than \(maxNameLength) characters" }
        let hasControl = name.unicodeScalars.contains { $0.properties.generalCategory == .control }
        return hasControl ? "contains a control character" : nil
    }
}

extension Snapshot {
    static let columns: StaticSQL = """
        id, sequence, workspace, name, device, app, apps, contracts, taken_at, bytes
        """

    init(_ row: Row) {
        func list(_ column: Int) -> [String] {
            ((try? JSON(parsing: row.text(column)))?.elements ?? []).compactMap(\.string)
        }
        self.init(
            id: row.text(0), sequence: row.integer(1), workspace: row.text(2), name: row.text(3),
            device: row.text(4), app: row.optionalText(5), apps: list(6), contracts: list(7),
            createdAt: row.date(8), byteCount: Int(row.integer(9)))
    }

    func insert(sealedBody: String, _ connection: Connection) throws {
        func list(_ values: [String]) -> Value {
            .text(JSON.array(values.map(JSON.string)).description)
        }
        try connection.insert(
            [
                ("id", .text(id)), ("workspace", .text(workspace)), ("name", .text(name)),
                ("device", .text(device)), ("app", .text(app)), ("apps", list(apps)),
                ("contracts", list(contracts)), ("taken_at", .date(createdAt)),
                ("bytes", .integer(byteCount)), ("body", .text(sealedBody)),
            ], into: "snapshots")
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
}

extension Migration {
    /// Restorable states: named snapshots, and the newest states of each app on a device. A body is
    /// sealed JSON, because it contains tokens.
    static let snapshots = Migration(
        "devices-snapshots",
        sql: """
            CREATE TABLE snapshots (
                sequence INTEGER PRIMARY KEY AUTOINCREMENT,
                id TEXT NOT NULL UNIQUE,
                workspace TEXT NOT NULL
                    REFERENCES workspaces ON DELETE CASCADE,
                name TEXT NOT NULL,
                device TEXT NOT NULL,
                app TEXT,
                contracts TEXT NOT NULL,
                apps TEXT NOT NULL,
                taken_at REAL NOT NULL,
                bytes INTEGER NOT NULL,
                body TEXT NOT NULL
            ) STRICT;
            CREATE INDEX snapshots_by_workspace
                ON snapshots (workspace, sequence);

            -- How a place was after a change told by these events.
            CREATE TABLE moments (
                id INTEGER PRIMARY KEY,
                place INTEGER NOT NULL REFERENCES places ON DELETE CASCADE,
                first_event INTEGER NOT NULL,
                last_event INTEGER NOT NULL,
                at REAL NOT NULL,
                body TEXT NOT NULL
            ) STRICT;
            CREATE INDEX moments_by_place ON moments (place, first_event);
            """)

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
