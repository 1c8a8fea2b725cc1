package import Core
package import FoundationEssentials
import SQLite

/// An isolated environment: its devices, its accounts on the embedded backend, its mail, clock,
/// faults and traffic.
package struct Workspace: Sendable, Equatable {
    /// `main`, or `ws_` and 16 characters.
    package let id: String
    /// For display; empty if unset.
    package var label: String
    /// By the system clock, like `expiresAt`.
    package let createdAt: Date
    /// The end of its lease; nil for `main`, which has none.
    package var expiresAt: Date?
    package var clock: Clock

    /// What a workspace is leased for: decides whether its transitions are counted.
    package enum Purpose: Sendable {
        /// A user uses it.
        case manual
        /// Foyer's own playback: its transitions are not counted, unless it is assigned to a test
        /// run later.
        case playback
    }

    /// The default workspace, which always exists.
    package static let mainID = "main"
}

/// The database table of workspaces. Times are seconds since 1970.
enum WorkspaceTable {
    private static let columns: StaticSQL = """
        id, label, created_at, expires_at, clock_offset, frozen_at
        """

    static func insert(_ workspace: Workspace, run: Int64?, _ connection: Connection) throws {
        let fixedColumns: Columns = [
            ("id", .text(workspace.id)), ("created_at", .date(workspace.createdAt)),
            ("run", .integer(run)), ("devices_made", .integer(0)),
        ]
        try connection.insert(fixedColumns + mutableColumns(of: workspace), into: "workspaces")
    }

    private static func mutableColumns(of workspace: Workspace) -> Columns {
        [
            ("label", .text(workspace.label)), ("expires_at", .date(workspace.expiresAt)),
            ("clock_offset", .real(workspace.clock.offset)),
            ("frozen_at", .date(workspace.clock.frozenAt)),
        ]
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
        _ = try connection.update(
            "workspaces", mutableColumns(of: workspace), where: "id", is: .text(workspace.id))
    }

    private static func workspace(_ row: Row) -> Workspace {
        Workspace(
            id: row.text(0), label: row.text(1), createdAt: row.date(2),
            expiresAt: row.optionalDate(3),
            clock: Clock(offset: row.real(4), frozenAt: row.optionalDate(5)))
    }
}
