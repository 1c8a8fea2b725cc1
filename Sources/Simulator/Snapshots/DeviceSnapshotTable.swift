import FoundationEssentials
import SQLite
import Web

/// The database table of snapshots.
enum DeviceSnapshotTable {
    private static let columns: StaticSQL = """
        id, sequence, workspace, name, device, app, apps, contracts, \
        taken_at, bytes
        """

    static func insert(_ snapshot: Snapshot, _ body: String, _ connection: Connection) throws {
        try connection.run(
            """
            INSERT INTO snapshots (id, workspace, name, device, app, apps, \
            contracts, taken_at, bytes, body) \
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(snapshot.id), .text(snapshot.workspace),
                .text(snapshot.name), .text(snapshot.device),
                .text(snapshot.app), .text(jsonList(snapshot.apps)),
                .text(jsonList(snapshot.contracts)),
                .real(snapshot.createdAt.timeIntervalSince1970),
                .integer(snapshot.byteCount), .text(body),
            ])
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
            device: row.text(4), app: row.optionalText(5), apps: jsonList(row.text(6)),
            contracts: jsonList(row.text(7)), createdAt: Date(timeIntervalSince1970: row.real(8)),
            byteCount: Int(row.integer(9)))
    }

    private static func jsonList(_ values: [String]) -> String {
        JSON.array(values.map(JSON.string)).description
    }

    private static func jsonList(_ text: String) -> [String] {
        guard case .array(let elements)? = try? JSON(parsing: text) else { return [] }
        return elements.compactMap(\.string)
    }
}
