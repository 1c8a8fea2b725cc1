import Core
import FoundationEssentials
import SQLite

/// The database table of workspaces. Times are seconds since 1970.
enum WorkspaceTable {
    private static let columns: StaticSQL = """
        id, label, created_at, expires_at, clock_offset, frozen_at
        """

    static func insert(_ workspace: Workspace, run: Int64?, _ connection: Connection) throws {
        try connection.run(
            """
            INSERT INTO workspaces (\(columns), run, devices_made) \
            VALUES (?, ?, ?, ?, ?, ?, ?, 0)
            """,
            [
                .text(workspace.id), .text(workspace.label),
                .real(workspace.createdAt.timeIntervalSince1970),
                .real(workspace.expiresAt?.timeIntervalSince1970),
                .real(workspace.clock.offset),
                .real(workspace.clock.frozenAt?.timeIntervalSince1970),
                .integer(run),
            ])
    }

    static func all(_ connection: Connection) throws -> [Workspace] {
        try connection.rows("SELECT \(columns) FROM workspaces", [], workspace)
    }

    static func workspace(_ id: String, _ connection: Connection) throws -> Workspace? {
        try connection.row("SELECT \(columns) FROM workspaces WHERE id = ?", [.text(id)], workspace)
    }

    /// Up to `limit`, newest first, those after the workspace `after` in that order; and the total
    /// count.
    static func page(after: String?, limit: Int, _ connection: Connection) throws -> (
        workspaces: [Workspace], total: Int
    ) {
        let workspaces = try connection.rows(
            """
            SELECT \(columns) FROM workspaces
            WHERE ?1 IS NULL OR (created_at, id) <
                (SELECT created_at, id FROM workspaces WHERE id = ?1)
            ORDER BY created_at DESC, id DESC LIMIT ?2
            """, [.text(after), .integer(limit)], workspace)
        let total = try connection.integer("SELECT count(*) FROM workspaces")
        return (workspaces, Int(total ?? 0))
    }

    /// Updates the mutable columns.
    static func update(_ workspace: Workspace, _ connection: Connection) throws {
        try connection.run(
            """
            UPDATE workspaces SET label = ?, expires_at = ?, \
            clock_offset = ?, frozen_at = ? WHERE id = ?
            """,
            [
                .text(workspace.label), .real(workspace.expiresAt?.timeIntervalSince1970),
                .real(workspace.clock.offset),
                .real(workspace.clock.frozenAt?.timeIntervalSince1970), .text(workspace.id),
            ])
    }

    private static func workspace(_ row: Row) -> Workspace {
        Workspace(
            id: row.text(0), label: row.text(1),
            createdAt: Date(timeIntervalSince1970: row.real(2)),
            expiresAt: row.optionalReal(3).map(Date.init(timeIntervalSince1970:)),
            clock: Clock(
                offset: row.real(4),
                frozenAt: row.optionalReal(5).map(Date.init(timeIntervalSince1970:))))
    }
}
