import Core
import Crypto
import FoundationEssentials
import SQLite
import Synchronization
import Web

/// What devices keep and show: on disk, in memory as far as it is in use, and
/// always in step.
///
/// Changes of one app on one device follow one another; each is made on a
/// copy, committed, and only then seen by anybody. Reading what is in memory
/// waits for nothing.
final class DeviceStateStore: Sendable {
    let database: Database
    let sealer: Sealer
    let world: World
    let clocks: Clocks
    let hub: EventHub
    let sessionIndex: SessionSearchIndex
    let sessionChecks = SessionCheckQueue()
    let stateHistory: StateHistory

    let memory: Mutex<Memory>
    let instanceLock = KeyedLock<AppInstance>()

    struct Memory: Sendable {
        /// What each is called, by its id.
        var workspaceLabels: [String: String]
        /// Of those that were emptied, how often.
        private(set) var resetCounts: [String: Int] = [:]
        /// How many are gone.
        private(set) var removedWorkspaceCount = 0
        var devices = LRUCache<String, Device>(capacity: 4_000)
        var persisted = LRUCache<AppInstance, PersistedAppState>(capacity: 1_000)
        /// Small, and what is lost here a tester would miss: many more.
        var transient = LRUCache<AppInstance, TransientAppState>(capacity: 20_000)
        /// Actions under way by place; such a place's memory is not let go.
        var activeActionCounts: [AppInstance: Int] = [:]
        var lastLaunchID = 0

        /// A number that changes when the workspace is emptied or goes, so
        /// that what was read before is not kept.
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

        mutating func makeTransientState() -> TransientAppState {
            lastLaunchID += 1
            return TransientAppState(launchID: lastLaunchID)
        }

        mutating func transientState(of instance: AppInstance) -> TransientAppState {
            if let transient = transient.value(for: instance) { return transient }
            let transient = makeTransientState()
            setTransient(instance, transient)
            return transient
        }

        mutating func setTransient(_ instance: AppInstance, _ transient: TransientAppState) {
            let busy = activeActionCounts
            self.transient.set(instance, transient) { busy[$0] == nil }
        }
    }

    /// The app was killed while an action was under way.
    struct AppTerminated: Error {}

    init(
        database: Database, sealer: Sealer, world: World, clocks: Clocks, hub: EventHub,
        workspaces: [String: String]
    ) {
        self.database = database
        self.sealer = sealer
        self.world = world
        self.clocks = clocks
        self.hub = hub
        sessionIndex = SessionSearchIndex(database: database, world: world)
        stateHistory = StateHistory(database: database, sealer: sealer, world: world)
        memory = Mutex(Memory(workspaceLabels: workspaces))
        // What waits since the last run, or since the index was made anew.
        sessionIndex.scheduleUpdate()
    }

    func hasWorkspace(_ id: String) -> Bool { memory.withLock { $0.workspaceLabels[id] != nil } }

    /// What a workspace is called; nil for one that is not there.
    func label(ofWorkspace id: String) -> String? { memory.withLock { $0.workspaceLabels[id] } }

    func addWorkspace(_ workspace: Workspace) {
        memory.withLock { $0.workspaceLabels[workspace.id] = workspace.label }
    }

    /// Forgets all that memory has of it; nobody finds it any more.
    func remove(workspace: String) {
        memory.withLock { $0.workspaceLabels[workspace] = nil }
        evict(workspace: workspace)
    }

    /// The time in the workspace of `place`.
    func now(in instance: AppInstance) -> Date { clocks.now(in: instance.workspace) }

    // MARK: Lives

    /// The number of a run of an app that begins now.
    func makeLaunchID() -> Int {
        memory.withLock { memory in
            memory.lastLaunchID += 1
            return memory.lastLaunchID
        }
    }

    /// Whether the app has not been killed since `life` began.
    func isRunning(_ instance: AppInstance, launchID: Int) -> Bool {
        memory.withLock { $0.transientState(of: instance).launchID == launchID }
    }

    /// Keeps the place in memory while `work` is under way.
    func withRetainedState<Result: Sendable>(
        _ instance: AppInstance, _ work: () async throws -> Result
    ) async rethrows
        -> Result
    {
        memory.withLock { $0.activeActionCounts[instance, default: 0] += 1 }
        defer {
            memory.withLock { memory in
                let left = (memory.activeActionCounts[instance] ?? 1) - 1
                memory.activeActionCounts[instance] = left == 0 ? nil : left
            }
        }
        return try await work()
    }

    /// Changes what is shown and nothing that is kept, at once; not if the
    /// app was killed since `life`.
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
}
