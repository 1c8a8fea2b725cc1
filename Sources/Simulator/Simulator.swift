package import Apps
package import SQLite
package import Secrets
package import Surroundings
package import Traffic
import Web

/// The phones: devices, what they store, and the runner of their apps.
///
/// Its face is in extensions by topic: devices, running, backends, storage,
/// sessions.
package final class Simulator: Sendable {
    let database: Database
    let catalogue: Catalogue
    let world: World
    package let clocks: Clocks
    let hub: EventHub
    let cupboard: Cupboard
    /// What follows a change of a session.
    package var checks: SessionChecks { cupboard.checks }
    let runner: Runner
    let ownPorts: Set<UInt16>
    let books = CallBooks()
    let guests = Guests()
    /// One snapshot at a time is put back in a workspace.
    let restores = Gate<String>()

    /// Reads which workspaces there are; devices are loaded when somebody
    /// asks for them. Sets `clocks` as each workspace had its own. `ownPorts`
    /// are refused as backends before anything leaves.
    package init(
        database: Database, sealer: Sealer, catalogue: Catalogue, recorder: Recorder, world: World,
        clocks: Clocks, hub: EventHub, embedded: Embedded, ownPorts: Set<UInt16>
    ) async throws {
        let workspaces = try await database.read { connection in try WorkspaceTable.all(connection)
        }
        for workspace in workspaces { clocks.set(workspace.clock, of: workspace.id) }
        self.database = database
        self.catalogue = catalogue
        self.world = world
        self.clocks = clocks
        self.hub = hub
        self.ownPorts = ownPorts
        cupboard = Cupboard(
            database: database, sealer: sealer, world: world, clocks: clocks, hub: hub,
            workspaces: Dictionary(workspaces.map { ($0.id, $0.label) }, uniquingKeysWith: { $1 }))
        runner = Runner(
            cupboard: cupboard, recorder: recorder, world: world, hub: hub, embedded: embedded)
    }

    /// Empties the workspace: devices, storage, sessions; its clock shows the
    /// real time again.
    package func reset(workspace: String) async throws {
        guard hasWorkspace(workspace) else { throw Problem.unknownWorkspace(workspace) }
        await restores.enter(workspace)
        defer { restores.leave(workspace) }
        // Before, so that nothing read from now on is kept in memory; and
        // after, for what was read in between.
        cupboard.forget(workspace: workspace)
        try await database.writing { connection in
            try connection.run("DELETE FROM sessions WHERE workspace = ?", [.text(workspace)])
            try connection.run("DELETE FROM devices WHERE workspace = ?", [.text(workspace)])
            try connection.run("DELETE FROM snapshots WHERE workspace = ?", [.text(workspace)])
            try connection.run(
                """
                UPDATE workspaces SET devices_made = 0, clock_offset = 0, \
                frozen_at = NULL WHERE id = ?
                """, [.text(workspace)])
            if workspace == Workspace.main { try FlowTable.forgetHand(connection) }
        }
        clocks.set(Clock(), of: workspace)
        cupboard.forget(workspace: workspace)
    }

    /// The manifest of a place's app, as it is now.
    func app(_ place: Place) throws(Problem) -> App {
        guard let app = catalogue.app(place.app) else { throw Problem.unknownApp(place.app) }
        return app
    }

    func screen(_ id: String, of app: App) throws(Problem) -> Screen {
        guard let screen = app.screen(id) else {
            throw Problem.unknownScreen(id, known: app.screens.map(\.id))
        }
        return screen
    }
}
