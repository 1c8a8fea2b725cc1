import Apps
import Core
import Crypto
import FoundationEssentials
import SQLite
import Synchronization
import Web

/// The persisted and transient state of devices: in the database, and cached in memory.
///
/// Changes of one app on one device are serialized; each is made on a copy, committed, and only
/// then visible. Cached state is read without waiting.
final class DeviceStateStore: Sendable {
    let database: Database
    let sealer: Sealer
    let world: World
    let clocks: Clocks
    let hub: EventHub
    let sessionIndex: SessionSearchIndex
    let sessionChecks = SessionCheckQueue()
    /// Called after each change with the new state.
    let recordState: @Sendable (StateRecord) -> Void

    let memory: Mutex<Memory>
    let instanceLock = KeyedLock<AppInstance>()

    struct Memory: Sendable {
        /// Labels by workspace id.
        var workspaceLabels: [String: String]
        /// Number of resets per workspace.
        private(set) var resetCounts: [String: Int] = [:]
        private(set) var removedWorkspaceCount = 0
        var devices = LRUCache<String, Device>(capacity: 4_000)
        var persisted = LRUCache<AppInstance, PersistedAppState>(capacity: 1_000)
        /// A larger capacity: entries are small, and an evicted one would lose the tester's input.
        var transient = LRUCache<AppInstance, TransientAppState>(capacity: 20_000)
        /// Number of running actions per instance; such an instance's state is not evicted.
        var activeActionCounts: [AppInstance: Int] = [:]
        var lastLaunchID = 0

        /// Changes when the workspace is reset or removed, so that values read before are not
        /// cached.
        func workspaceVersion(of workspace: String) -> Int {
            workspaceLabels[workspace] == nil
                ? -1 - removedWorkspaceCount : resetCounts[workspace] ?? 0
        }

        mutating func recordReset(of workspace: String) {
            if workspaceLabels[workspace] == nil {
                removedWorkspaceCount += 1
                resetCounts[workspace] = nil
            } else {
                resetCounts[workspace, default: 0] += 1
            }
        }

        /// Caches a device read when the workspace had this version.
        mutating func setDevice(_ device: Device, ifVersion version: Int) {
            if workspaceVersion(of: device.workspace) == version { devices.set(device.id, device) }
        }

        mutating func transientState(of instance: AppInstance) -> TransientAppState {
            if let transient = transient.value(for: instance) { return transient }
            lastLaunchID += 1
            let transient = TransientAppState(launchID: lastLaunchID)
            setTransient(instance, transient)
            return transient
        }

        mutating func setTransient(_ instance: AppInstance, _ transient: TransientAppState) {
            let busy = activeActionCounts
            self.transient.set(instance, transient) { busy[$0] == nil }
        }
    }

    init(
        database: Database, sealer: Sealer, world: World, clocks: Clocks, hub: EventHub,
        workspaces: [String: String], recordState: @escaping @Sendable (StateRecord) -> Void
    ) {
        self.database = database
        self.sealer = sealer
        self.world = world
        self.clocks = clocks
        self.hub = hub
        sessionIndex = SessionSearchIndex(database: database, world: world)
        self.recordState = recordState
        memory = Mutex(Memory(workspaceLabels: workspaces))
        // Sessions that are pending since the last run, or since the index was rebuilt.
        sessionIndex.scheduleUpdate()
    }

    /// A workspace's label; nil for an unknown workspace.
    func label(ofWorkspace id: String) -> String? { memory.withLock { $0.workspaceLabels[id] } }

    func addWorkspace(_ workspace: Workspace) {
        memory.withLock { $0.workspaceLabels[workspace.id] = workspace.label }
    }

    /// Removes the workspace and its state from memory.
    func remove(workspace: String) {
        memory.withLock { $0.workspaceLabels[workspace] = nil }
        evict(workspace: workspace)
    }

    /// The time in the instance's workspace.
    func now(in instance: AppInstance) -> Date { clocks.now(in: instance.workspace) }

    // MARK: Launches

    /// The id of a launch that starts now.
    func makeLaunchID() -> Int {
        memory.withLock { memory in
            memory.lastLaunchID += 1
            return memory.lastLaunchID
        }
    }

    /// Throws if the app was killed since this launch started.
    func requireRunning(_ instance: AppInstance, launchID: Int) throws(AppTerminated) {
        let current = memory.withLock { $0.transientState(of: instance).launchID }
        if current != launchID { throw AppTerminated() }
    }

    /// Keeps the instance's state in memory during `work`.
    func withRetainedState<Result: Sendable>(
        _ instance: AppInstance, _ work: () async throws -> Result
    ) async rethrows -> Result {
        memory.withLock { $0.activeActionCounts[instance, default: 0] += 1 }
        defer {
            memory.withLock { memory in
                let remaining = (memory.activeActionCounts[instance] ?? 1) - 1
                memory.activeActionCounts[instance] = remaining == 0 ? nil : remaining
            }
        }
        return try await work()
    }

    /// Changes the transient state only, immediately; not if the app was killed since the launch
    /// `launchID`.
    @discardableResult func updateTransient<Result: Sendable>(
        _ instance: AppInstance, launchID: Int? = nil, _ body: (inout TransientAppState) -> Result
    ) -> Result? {
        memory.withLock { memory in
            var transient = memory.transientState(of: instance)
            if let launchID, transient.launchID != launchID { return nil }
            let result = body(&transient)
            memory.setTransient(instance, transient)
            return result
        }
    }

    // MARK: Reading

    /// All three from memory, read at once; nil if one is missing.
    func cachedState(_ instance: AppInstance) -> InstanceState? {
        memory.withLock { memory in
            guard let device = memory.devices.value(for: instance.device),
                device.workspace == instance.workspace,
                let persisted = memory.persisted.value(for: instance)
            else { return nil }
            return (device, persisted, memory.transientState(of: instance))
        }
    }

    /// The same, read from the database if necessary.
    ///
    /// Throws a `Problem` if a stored value cannot be unsealed, unless `allowsUnreadable`.
    func state(_ instance: AppInstance, _ app: App, allowsUnreadable: Bool = false) async throws
        -> InstanceState
    {
        if let cached = cachedState(instance) {
            if !allowsUnreadable { try cached.persisted.checkReadable(instance, app) }
            return cached
        }
        await instanceLock.lock(instance)
        defer { instanceLock.unlock(instance) }
        let (device, persisted, _) = try await loadLocked(instance, app)
        if !allowsUnreadable { try persisted.checkReadable(instance, app) }
        return (device, persisted, memory.withLock { $0.transientState(of: instance) })
    }

    /// Unseals a value of a list; one that cannot be opened is logged and omitted.
    func unsealIfPossible(_ sealed: String, _ name: @autoclosure () -> String) -> String? {
        do { return try sealer.open(sealed) } catch {
            world.log("storage: could not read \(name()): \(error.detail)")
            return nil
        }
    }

    /// Loads the state; the caller holds the instance lock. The version is the workspace's
    /// before the read.
    func loadLocked(_ instance: AppInstance, _ app: App) async throws -> (
        Device, PersistedAppState, workspaceVersion: Int
    ) {
        let (cached, version) = memory.withLock { memory in
            (memory.persisted.value(for: instance), memory.workspaceVersion(of: instance.workspace))
        }
        let device = try await requireDevice(instance.device, in: instance.workspace)
        if let cached { return (device, cached, version) }
        let stored = try await database.readThrowingProblems { [sealer, world] connection in
            try PersistedAppState.read(instance, sealer, connection) { name, error in
                world.log(
                    "storage: could not read \(name) of \(instance.app) on "
                        + "\(instance.device): \(error.detail)")
            }
        }
        let persisted = stored ?? .firstStart(of: app, at: device.createdAt)
        memory.withLock { memory in
            guard memory.workspaceVersion(of: instance.workspace) == version else { return }
            memory.persisted.set(instance, persisted)
        }
        return (device, persisted, version)
    }

    func requireDevice(_ id: String, in workspace: String) async throws -> Device {
        guard let device = try await device(id, in: workspace) else {
            throw Problem.unknownDevice(id)
        }
        return device
    }

    func device(_ id: String, in workspace: String) async throws -> Device? {
        let (cached, version) = memory.withLock { memory in
            (memory.devices.value(for: id), memory.workspaceVersion(of: workspace))
        }
        if let cached { return cached.workspace == workspace ? cached : nil }
        let stored = try await database.readThrowingProblems {
            try DeviceTable.device(id, workspace, $0)
        }
        guard let stored else { return nil }
        memory.withLock { memory in
            if memory.devices.value(for: id) == nil { memory.setDevice(stored, ifVersion: version) }
        }
        return stored
    }
}

/// The state of an app on a device, and the device.
typealias InstanceState = (
    device: Device, persisted: PersistedAppState, transient: TransientAppState
)

/// The app was killed during an action.
struct AppTerminated: Error {}

/// The state of an app instance after a change.
struct StateRecord: Sendable {
    let change: StateChange
    /// The first and the last event of the change.
    let firstEvent: Int64
    let lastEvent: Int64
    let transient: TransientAppState
}
