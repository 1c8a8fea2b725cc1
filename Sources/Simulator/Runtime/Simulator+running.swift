import Apps
import Core
import Synchronization
import Web

extension Simulator {
    /// The app's state on this device, read from the database if necessary.
    func context(_ instance: AppInstance, _ app: App? = nil) async throws -> ActionContext {
        let app = try app ?? self.app(instance)
        let state = try await stateStore.state(instance, app)
        var backend = embeddedBackend
        if workspacesForcingTLS.withLock({ $0.contains(instance.workspace) }) {
            backend.baseURL.replace("http:", with: "https:", maxReplacements: 1)
        }
        return ActionContext(
            app: app, device: state.device, stored: state.persisted, transient: state.transient,
            embeddedBackend: backend)
    }

    func context(_ run: ActionRun) async throws -> ActionContext {
        try await context(run.instance, run.app)
    }

    /// Changes the state of a run's app, unless it was killed since the run began.
    @discardableResult func update(
        _ run: ActionRun, reason: StorageChangeReason? = nil, captured: [String: JSON] = [:],
        _ body: DeviceStateStore.ChangeBody = { _, _, _ in },
        then: (inout TransientAppState) -> Void = { _ in }
    ) async throws -> PersistedAppState {
        try await stateStore.update(
            run.instance, run.app, launchID: run.launchID,
            reason: reason ?? .run(exchange: run.lastExchange), cause: run.causeEvent,
            captured: captured, body, then: then)
    }

    /// Changes the transient state of a run's app, unless it was killed since the run began.
    @discardableResult func updateTransient(
        _ run: ActionRun, _ body: (inout TransientAppState) -> Void
    ) -> Void? { stateStore.updateTransient(run.instance, launchID: run.launchID, body) }

    /// Performs `work` once for concurrent callers, while the state stays in memory: in one launch
    /// of an app, an action of a screen, a launch or a screen's load.
    ///
    /// Each runs in its own task, so that a closed browser connection does not cancel it. The
    /// result is `terminated` if the app was killed meanwhile.
    func runOnce<Value>(
        _ run: ActionRun, screen: String, action: String = "",
        in flights: SingleFlight<RunKey, Value>, ifTerminated terminated: Value,
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await flights.run(RunKey(run, screen: screen, action: action)) { [stateStore] in
            do {
                return try await stateStore.withRetainedState(run.instance, work)
            } catch is AppTerminated { return terminated }
        }
    }

    // MARK: Events

    func publishFailure(_ message: String, kind: String, exchange: String?, _ run: ActionRun) {
        hub.publish(
            run.instance, .actionFailed, message, subject: exchange, cause: run.causeEvent,
            details: ["kind": kind])
    }

    /// Publishes that a response arrived after the app was killed and was dropped.
    func publishDropped(_ run: ActionRun, _ callName: String) {
        hub.publish(
            run.instance, .appKilled,
            "The response to \(callName) was discarded: the app was killed before it arrived",
            cause: run.causeEvent, details: ["canceledCall": callName])
    }

    // MARK: Relaunch and kill

    /// A cold start: clears what is not stored and shows the launch screen.
    ///
    /// Running actions belong to the terminated launch from then on: a request under way continues,
    /// its response is dropped, and no other follows.
    package func relaunch(_ instance: AppInstance, isKill: Bool) async throws {
        let app = try app(instance)
        let launchID = stateStore.makeLaunchID()
        // Reset before the events: their subscribers read the state at once, before it is written.
        stateStore.updateTransient(instance) { $0.willKillOnNextSubmit = false }
        let killEvent = isKill ? hub.publish(instance, .appKilled, "\(app.name) was killed") : nil
        let startEvent = hub.publish(
            instance, .appLaunched, "\(app.name) started", cause: killEvent)
        try await stateStore.update(instance, app, cause: startEvent) { persisted, _, now in
            persisted.showScreen(app.launchScreenID, at: now)
        } then: { transient in
            transient = TransientAppState(launchID: launchID)
            transient.startEvent = startEvent
        }
    }

    /// Kills the app as soon as the next form submit sends its first request; other actions do not
    /// trigger it. `isArmed` false or a cold start cancels it.
    package func setKillOnNextSubmit(_ instance: AppInstance, isArmed: Bool = true) async throws {
        let context = try await context(instance)
        let wasArmed = stateStore.updateTransient(instance) { transient in
            defer { transient.willKillOnNextSubmit = isArmed }
            return transient.willKillOnNextSubmit
        }
        guard wasArmed != isArmed else { return }
        let app = context.app
        publishDeviceChange(
            context.device, app: app.id,
            isArmed
                ? "\(app.name) will crash on its next request"
                : "\(app.name) will not crash on its next request")
    }
}
