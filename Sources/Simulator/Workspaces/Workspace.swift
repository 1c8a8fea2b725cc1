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
    static let columns: StaticSQL = """
        id, label, created_at, expires_at, clock_offset, frozen_at
        """

    static func mutableColumns(of workspace: Workspace) -> Columns {
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

    static func workspace(_ row: Row) -> Workspace {
        Workspace(
            id: row.text(0), label: row.text(1), createdAt: row.date(2),
            expiresAt: row.optionalDate(3),
            clock: Clock(offset: row.real(4), frozenAt: row.optionalDate(5)))
    }
}
