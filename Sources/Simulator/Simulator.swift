package import Apps
package import Core
package import Crypto
package import SQLite
package import Traffic
import Synchronization
import Web

/// The simulated devices: their storage, and the running of their apps.
///
/// Its interface is in extensions by topic, in files named after it or after the type it returns.
package final class Simulator: Sendable {
    let database: Database
    let catalog: AppCatalog
    let world: World
    package let clocks: Clocks
    let hub: EventHub
    let stateStore: DeviceStateStore
    let stateHistory: StateHistory
    /// The queue of session checks after changes.
    package var sessionChecks: SessionCheckQueue { stateStore.sessionChecks }
    let recorder: Recorder
    let embeddedBackend: EmbeddedBackendAccess
    let foyerPorts: Set<UInt16>
    /// The sessions' status according to backend responses.
    let observedStatus = Mutex(ObservedSessionStatus())
    /// Workspaces in which retries are sent without delay.
    let workspacesSkippingRetryDelays = Mutex<Set<String>>([])
    /// Workspaces whose calls use https for the embedded backend.
    let workspacesForcingTLS = Mutex<Set<String>>([])
    /// Running actions and launches; a second one joins the first.
    let actions = SingleFlight<RunKey, ActionResult>()
    let refreshes = SingleFlight<RunKey, CallResult>()
    let screenLoads = SingleFlight<RunKey, Void>()
    let callMatchers = CallMatcherCache()
    let clientDevices = ClientDevices()
    /// Serializes restores per workspace.
    let restoreLock = KeyedLock<String>()

    /// Loads the workspaces and their clocks; devices are loaded at first use. Custom base URLs on
    /// `foyerPorts` are rejected before a request is sent.
    package init(
        database: Database, sealer: Sealer, catalog: AppCatalog, recorder: Recorder, world: World,
        clocks: Clocks, hub: EventHub, embeddedBackend: EmbeddedBackendAccess,
        foyerPorts: Set<UInt16>
    ) async throws {
        let workspaces = try await database.read(WorkspaceTable.all)
        for workspace in workspaces { clocks.set(workspace.clock, of: workspace.id) }
        self.database = database
        self.catalog = catalog
        self.world = world
        self.clocks = clocks
        self.hub = hub
        self.recorder = recorder
        self.embeddedBackend = embeddedBackend
        self.foyerPorts = foyerPorts
        let stateHistory = StateHistory(database: database, sealer: sealer, world: world)
        self.stateHistory = stateHistory
        stateStore = DeviceStateStore(
            database: database, sealer: sealer, world: world, clocks: clocks, hub: hub,
            workspaces: Dictionary(workspaces.map { ($0.id, $0.label) }, uniquingKeysWith: { $1 }),
            recordState: stateHistory.record)
    }

    /// Deletes the workspace's devices, storage, sessions and snapshots, and resets its clock to
    /// the system time.
    package func reset(workspace: String) async throws {
        try requireWorkspace(workspace)
        await restoreLock.lock(workspace)
        defer { restoreLock.unlock(workspace) }
        // Before the deletion, so that nothing read from now on is cached; and after it, for what
        // was read in between.
        stateStore.evict(workspace: workspace)
        try await database.writeThrowingProblems { connection in
            for table in ["sessions", "devices", "snapshots"] as [StaticSQL] {
                try connection.run("DELETE FROM \(table) WHERE workspace = ?", [.text(workspace)])
            }
            try connection.run(
                """
                UPDATE workspaces SET devices_made = 0, clock_offset = 0, \
                frozen_at = NULL WHERE id = ?
                """, [.text(workspace)])
            if workspace == Workspace.mainID {
                try connection.run(
                    "DELETE FROM transitions WHERE run = ?", [.integer(TransitionTable.manualRun)])
            }
        }
        clocks.set(Clock(), of: workspace)
        stateStore.evict(workspace: workspace)
    }

    /// The current manifest of an instance's app.
    func app(_ instance: AppInstance) throws(Problem) -> App {
        guard let app = catalog.app(instance.app) else { throw Problem.unknownApp(instance.app) }
        return app
    }

    func screen(_ id: String, of app: App) throws(Problem) -> Screen {
        guard let screen = app.screen(id) else {
            throw Problem.unknown(
                "screen", "The manifest has no screen \(id.prefix(40)); it has ",
                available: app.screens.map(\.id))
        }
        return screen
    }
}

/// An app on a device in a workspace.
package struct AppInstance: Sendable, Hashable {
    package var workspace: String
    package var device: String
    package var app: String

    package init(workspace: String, device: String, app: String) {
        self.workspace = workspace
        self.device = device
        self.app = app
    }

    /// No two workspaces have a device with the same id, so the workspace is not hashed.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(device)
        hasher.combine(app)
    }
}

extension EventHub {
    /// Publishes an event of an app instance and returns its id.
    @discardableResult func publish(
        _ instance: AppInstance, _ kind: Event.Kind, _ title: String, subject: String? = nil,
        cause: Int64? = nil, details: [String: String] = [:]
    ) -> Int64 {
        publish(
            Event(
                workspace: instance.workspace, kind: kind, app: instance.app,
                device: instance.device, cause: cause, subject: subject, title: title,
                details: details)
        ).id
    }
}
