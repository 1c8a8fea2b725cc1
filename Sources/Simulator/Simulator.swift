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
    let hub: EventHub
    let cupboard: Cupboard
    let runner: Runner
    let ownPorts: Set<UInt16>

    /// Reads which workspaces there are; devices are loaded when somebody
    /// asks for them. `ownPorts` are refused as backends before anything
    /// leaves.
    package init(
        database: Database, sealer: Sealer, catalogue: Catalogue,
        recorder: Recorder, world: World, hub: EventHub,
        embedded: Embedded, ownPorts: Set<UInt16>
    ) async throws {
        let workspaces = try await database.read { connection in
            try connection.rows("SELECT id FROM workspaces") { $0.text(0) }
        }
        self.database = database
        self.catalogue = catalogue
        self.world = world
        self.hub = hub
        self.ownPorts = ownPorts
        cupboard = Cupboard(
            database: database, sealer: sealer, world: world, hub: hub,
            workspaces: Set(workspaces))
        runner = Runner(
            cupboard: cupboard, recorder: recorder, world: world, hub: hub,
            embedded: embedded)
    }

    /// Whether there is such a workspace; `main` always is.
    package func hasWorkspace(_ id: String) -> Bool {
        cupboard.hasWorkspace(id)
    }

    /// Empties the workspace: devices, storage, sessions.
    package func reset(workspace: String) async throws {
        guard hasWorkspace(workspace) else {
            throw Problem.unknownWorkspace(workspace)
        }
        // Before, so that nothing read from now on is kept in memory; and
        // after, for what was read in between.
        cupboard.forget(workspace: workspace)
        try await database.writing { connection in
            try connection.run(
                "DELETE FROM sessions WHERE workspace = ?", [.text(workspace)])
            try connection.run(
                "DELETE FROM devices WHERE workspace = ?", [.text(workspace)])
            try connection.run(
                "UPDATE workspaces SET devices_made = 0 WHERE id = ?",
                [.text(workspace)])
        }
        cupboard.forget(workspace: workspace)
    }

    /// The manifest of a place's app, as it is now.
    func app(_ place: Place) throws(Problem) -> App {
        guard let app = catalogue.app(place.app) else {
            throw Problem.unknownApp(place.app)
        }
        return app
    }

    func screen(_ id: String, of app: App) throws(Problem) -> Screen {
        guard let screen = app.screen(id) else {
            throw Problem.unknownScreen(id, known: app.screens.map(\.id))
        }
        return screen
    }
}
