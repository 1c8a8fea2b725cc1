package import Core
package import FoundationEssentials
import SQLite
import Synchronization
import Web

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

extension Simulator {
    /// Whether the workspace exists; `main` always does.
    package func hasWorkspace(_ id: String) -> Bool { stateStore.label(ofWorkspace: id) != nil }

    func requireWorkspace(_ id: String) throws(Problem) {
        if !hasWorkspace(id) { throw Problem.unknownWorkspace(id) }
    }

    /// The label, or the id without one.
    package func displayName(ofWorkspace id: String) -> String {
        stateStore.label(ofWorkspace: id)?.nonEmpty ?? id
    }

    /// Up to `limit` workspaces, newest first, those after the workspace `after`; and the total
    /// count.
    package func workspaces(after: String? = nil, limit: Int) async throws -> (
        workspaces: [Workspace], total: Int
    ) {
        var page = try await database.readThrowingProblems { connection in
            let workspaces = try connection.rows(
                """
                SELECT \(WorkspaceTable.columns) FROM workspaces
                WHERE ?1 IS NULL OR (created_at, id) <
                    (SELECT created_at, id FROM workspaces WHERE id = ?1)
                ORDER BY created_at DESC, id DESC LIMIT ?2
                """, [.text(after), .integer(max(1, min(limit, 501)))], WorkspaceTable.workspace)
            return (
                workspaces: workspaces,
                total: try connection.count("SELECT count(*) FROM workspaces")
            )
        }
        // Workspaces that are being deleted are hidden.
        page.workspaces.removeAll { !hasWorkspace($0.id) }
        return page
    }

    /// Every workspace whose lease expires.
    package func leasedWorkspaces() async throws -> [Workspace] {
        try await database.readThrowingProblems(WorkspaceTable.all).filter { $0.expiresAt != nil }
    }

    package func workspace(_ id: String) async throws -> Workspace {
        let found = try await database.readThrowingProblems { try WorkspaceTable.workspace(id, $0) }
        guard let found else { throw Problem.unknownWorkspace(id) }
        return found
    }

    /// Creates an empty workspace, leased for `lease`.
    package func makeWorkspace(
        label: String, lease: Duration, for purpose: Workspace.Purpose = .manual
    ) async throws -> Workspace {
        let now = world.now()
        let workspace = Workspace(
            id: world.makeID("ws"), label: label, createdAt: now,
            expiresAt: now.addingTimeInterval(lease / .seconds(1)), clock: Clock())
        try await database.writeThrowingProblems { connection in
            let fixedColumns: Columns = [
                ("id", .text(workspace.id)), ("created_at", .date(now)),
                ("devices_made", .integer(0)),
                ("run", .integer(purpose == .manual ? TransitionTable.manualRun : nil)),
            ]
            try connection.insert(
                fixedColumns + WorkspaceTable.mutableColumns(of: workspace), into: "workspaces")
        }
        stateStore.addWorkspace(workspace)
        return workspace
    }

    /// Disables the delay between retries in the workspace: for playback that no user watches.
    package func skipRetryDelays(_ workspace: String) {
        workspacesSkippingRetryDelays.withLock { _ = $0.insert(workspace) }
    }

    /// Sets a workspace's label, or leases it for `lease` from now, or both.
    package func updateWorkspace(_ id: String, label: String?, lease: Duration?) async throws
        -> Workspace
    {
        let expiresAt = lease.map { world.now().addingTimeInterval($0 / .seconds(1)) }
        let updated = try await modifyWorkspace(id) { workspace in
            if let label { workspace.label = label }
            if let expiresAt, workspace.expiresAt != nil { workspace.expiresAt = expiresAt }
        }
        stateStore.addWorkspace(updated)
        return updated
    }

    /// Hides the workspace; its data stays until `deleteWorkspace`.
    package func closeWorkspace(_ id: String) { stateStore.remove(workspace: id) }

    /// Deletes a workspace with its data, after a running restore of one of its snapshots.
    package func deleteWorkspace(_ id: String) async throws {
        await restoreLock.lock(id)
        defer { restoreLock.unlock(id) }
        let now = world.now()
        try await database.writeThrowingProblems { connection in
            // Its run was active until now, not until the end of the lease.
            try connection.run(
                """
                UPDATE runs SET last_at = ?1 WHERE last_at < ?1 AND number =
                    (SELECT run FROM workspaces WHERE id = ?2 AND expires_at > ?1)
                """, [.date(now), .text(id)])
            try connection.run("DELETE FROM sessions WHERE workspace = ?", [.text(id)])
            try connection.run("DELETE FROM session_totals WHERE workspace = ?", [.text(id)])
            try connection.run("DELETE FROM workspaces WHERE id = ?", [.text(id)])
        }
        stateStore.remove(workspace: id)
        workspacesSkippingRetryDelays.withLock { _ = $0.remove(id) }
        stateStore.sessionIndex.scheduleUpdate()
        clocks.set(Clock(), of: id)
    }

    /// Sets the clock of a workspace; publishes `clock.changed`.
    ///
    /// `change` receives the current clock and the system time; concurrent changes are both
    /// applied.
    package func updateClock(
        of id: String, _ change: @escaping @Sendable (Clock, _ real: Date) throws -> Clock
    ) async throws -> Clock {
        let key = AppInstance(workspace: id, device: "", app: "")
        await stateStore.instanceLock.lock(key)
        defer { stateStore.instanceLock.unlock(key) }
        let systemTime = world.now()
        let clock = try await modifyWorkspace(id) { workspace in
            workspace.clock = try change(workspace.clock, systemTime)
        }.clock
        clocks.set(clock, of: id)
        hub.publish(
            Event(
                workspace: id, kind: .clockChanged, subject: id,
                title: clock.isReal
                    ? "The clock follows the system time again"
                    : "The clock was set to \(clock.time(at: systemTime).iso8601)",
                details: ["offset": String(clock.offset), "frozen": String(clock.frozenAt != nil)]))
        return clock
    }

    /// The backends that the user selected for apps on the workspace's devices, each once.
    package func chosenBackends(in workspace: String) async throws -> [(
        app: String, backend: String
    )] {
        try await database.rows(
            """
            SELECT DISTINCT p.app, p.backend FROM places p
            JOIN devices d ON d.id = p.device
            WHERE d.workspace = ? AND p.backend IS NOT NULL
            ORDER BY p.app, p.backend LIMIT 100
            """, [.text(workspace)]
        ) { (app: $0.text(0), backend: $0.text(1)) }
    }

    private func modifyWorkspace(
        _ id: String, _ change: @escaping @Sendable (inout Workspace) throws -> Void
    ) async throws -> Workspace {
        try await database.writeThrowingProblems { connection in
            guard var workspace = try WorkspaceTable.workspace(id, connection) else {
                throw Problem.unknownWorkspace(id)
            }
            try change(&workspace)
            _ = try connection.update(
                "workspaces", WorkspaceTable.mutableColumns(of: workspace), where: "id",
                is: .text(id))
            return workspace
        }
    }

    /// Makes the workspace's calls to the embedded backend start with a TLS handshake, which it
    /// does not support: simulates a TLS failure.
    package func forceTLS(_ workspace: String) {
        workspacesForcingTLS.withLock { _ = $0.insert(workspace) }
    }

    /// Ends `forceTLS`.
    package func stopForcingTLS(_ workspace: String) {
        workspacesForcingTLS.withLock { _ = $0.remove(workspace) }
    }
}
