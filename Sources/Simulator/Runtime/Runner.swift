import Apps
import Core
import Synchronization
import Traffic
import Web

/// Runs the apps' actions, launches and refreshes.
///
/// Each runs in its own task, so that a closed browser connection does not cancel it.
final class Runner: Sendable {
    let stateStore: DeviceStateStore
    let recorder: Recorder
    let world: World
    let hub: EventHub
    let embeddedBackend: EmbeddedBackendAccess
    /// The sessions' status according to backend responses.
    let observedStatus = ObservedSessionStatus()

    /// Workspaces in which retries are sent without delay.
    let workspacesSkippingRetryDelays = Mutex<Set<String>>([])
    /// Workspaces whose calls use https for the embedded backend.
    let workspacesForcingTLS = Mutex<Set<String>>([])

    /// Running actions and launches; a second one joins the first.
    let actions = SingleFlight<RunKey, ActionResult>()
    let refreshes = SingleFlight<RunKey, RefreshResult>()
    let screenLoads = SingleFlight<RunKey, Void>()

    init(
        stateStore: DeviceStateStore, recorder: Recorder, world: World, hub: EventHub,
        embeddedBackend: EmbeddedBackendAccess
    ) {
        self.stateStore = stateStore
        self.recorder = recorder
        self.world = world
        self.hub = hub
        self.embeddedBackend = embeddedBackend
    }

    /// What runs once at a time: in one launch of an app, an action of a screen, a launch, a
    /// screen's load or a refresh.
    struct RunKey: Hashable, Sendable {
        var instance: AppInstance
        var launchID: Int
        var screen = ""
        var action = ""
    }

    /// The result of a refresh.
    enum RefreshResult: Sendable {
        /// An access token other than the rejected one is stored.
        case refreshed
        case sessionExpired
        /// The refresh failed for now; the tokens stay stored.
        case unavailable(CallFailure)
    }

    /// Publishes an event of an app instance and returns its id.
    @discardableResult func publish(
        _ instance: AppInstance, _ kind: Event.Kind, _ title: String, subject: String? = nil,
        cause: Int64? = nil, details: [String: String] = [:]
    ) -> Int64 {
        hub.publish(
            EventDraft(
                workspace: instance.workspace, kind: kind, app: instance.app,
                device: instance.device, cause: cause, subject: subject, title: title,
                details: details)
        ).id
    }

    func context(_ instance: AppInstance, _ app: App) async throws -> ActionContext {
        let state = try await stateStore.state(instance, app)
        let forcesTLS = workspacesForcingTLS.withLock { $0.contains(instance.workspace) }
        return ActionContext(
            app: app, device: state.device, persisted: state.persisted, transient: state.transient,
            embeddedBackend: forcesTLS ? embeddedBackend.forcingTLS : embeddedBackend)
    }

    /// Performs `work` once for concurrent callers of `key`, while the state stays in memory. The
    /// result is `terminated` if the app was killed meanwhile.
    func runOnce<Value>(
        _ key: RunKey, in flights: SingleFlight<RunKey, Value>, ifTerminated terminated: Value,
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await flights.run(key) { [stateStore] in
            do {
                return try await stateStore.withRetainedState(key.instance, work)
            } catch is DeviceStateStore.AppTerminated { return terminated }
        }
    }

    /// Changes the state of a run's app, unless it was killed since the run began.
    @discardableResult func update(
        _ run: ActionRun, reason: StorageChangeReason? = nil, captured: [String: JSON] = [:],
        _ body: (inout PersistedAppState, TransientAppState) throws -> Void = { _, _ in },
        then: (inout TransientAppState) -> Void = { _ in }
    ) async throws -> PersistedAppState {
        try await stateStore.update(
            run.instance, run.app, launchID: run.launchID,
            reason: reason ?? .run(exchange: run.lastExchange), cause: run.causeEvent,
            captured: captured, body, then: then)
    }

    /// Publishes that a response arrived after the app was killed and was dropped.
    func publishDropped(_ run: ActionRun, _ callName: String) {
        publish(
            run.instance, .appKilled,
            "The response to \(callName) was discarded: the app was killed before it arrived",
            cause: run.causeEvent, details: ["canceledCall": callName])
    }
}

/// Runs an operation once for concurrent callers of the same key.
///
/// The work is its own task: a canceled caller does not end it.
final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// The callers waiting for each running operation.
    private let waiters = Mutex<[Key: [CheckedContinuation<Value, any Error>]]>([:])

    /// The result of `work`, or of the running operation of `key`.
    func run(_ key: Key, _ work: @escaping @Sendable () async throws -> Value) async throws -> Value
    {
        try await withCheckedThrowingContinuation { continuation in
            let isFirst = waiters.withLock { waiting in
                let isFirst = waiting[key] == nil
                waiting[key, default: []].append(continuation)
                return isFirst
            }
            guard isFirst else { return }
            // Starts on this thread and stays there until the first suspension: most work soon
            // sends a request.
            Task.immediate {
                let result: Result<Value, any Error>
                do { result = .success(try await work()) } catch { result = .failure(error) }
                let all = waiters.withLock { $0.removeValue(forKey: key) }
                for continuation in all ?? [] { continuation.resume(with: result) }
            }
        }
    }

    /// Number of callers that wait for `key`, including the first.
    func waiterCount(_ key: Key) -> Int { waiters.withLock { $0[key]?.count ?? 0 } }
}
