import FoundationEssentials
import SQLite

/// Apps on devices as rows; secrets in them are sealed already.
enum PlaceTable {
    /// A row as it is stored.
    struct Stored: Sendable {
        var id: Int64
        var screen: String
        var since: Date
        var backend: String?
        var own: String
        var visits: String
        var paths: String
        var lastPath: Int64?
        var items: [Item]
    }

    static func read(device: String, app: String, _ connection: Connection) throws -> Stored? {
        let found = try connection.row(
            """
            SELECT id, screen, since, backend, own, visits, paths, last_path \
            FROM places WHERE device = ? AND app = ?
            """, [.text(device), .text(app)]
        ) { row in
            Stored(
                id: row.integer(0), screen: row.text(1),
                since: Date(timeIntervalSince1970: row.real(2)), backend: row.optionalText(3),
                own: row.text(4), visits: row.text(5), paths: row.text(6),
                lastPath: row.optionalInteger(7), items: [])
        }
        guard var stored = found else { return nil }
        stored.items = try ItemTable.items(of: stored.id, connection)
        return stored
    }

    /// Writes all but the items; answers the row's id.
    static func write(_ place: Place, _ stored: Stored, _ connection: Connection) throws -> Int64 {
        let values: [Value] = [
            .text(stored.screen), .real(stored.since.timeIntervalSince1970),
            .text(stored.backend), .text(stored.own), .text(stored.visits),
            .text(stored.paths), .integer(stored.lastPath),
        ]
        guard stored.id == 0 else {
            try connection.run(
                """
                UPDATE places SET screen = ?, since = ?, backend = ?, \
                own = ?, visits = ?, paths = ?, last_path = ? WHERE id = ?
                """, values + [.integer(stored.id)])
            guard connection.changes == 1 else { throw Gone() }
            return stored.id
        }
        try connection.run(
            """
            INSERT INTO places (screen, since, backend, own, visits, paths, \
            last_path, device, app) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, values + [.text(place.device), .text(place.app)])
        return connection.lastInsertedID
    }

    /// The place was deleted meanwhile, with its workspace.
    struct Gone: Error {}
}
