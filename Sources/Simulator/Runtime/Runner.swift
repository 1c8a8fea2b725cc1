import Apps
import Core
import Synchronization
import Traffic
import Web

/// Plays the apps: actions, launches, refreshes, one step after another.
///
/// Everything happens in tasks of its own, so that a browser closed in the
/// middle changes nothing.
final class Runner: Sendable {
    let stateStore: DeviceStateStore
    let recorder: Recorder
    let world: World
    let hub: EventHub
    let embeddedBackend: EmbeddedBackendAccess
    /// What backends were heard to say of sessions.
    let observedStatus = ObservedSessionStatus()

    /// Workspaces in which nobody waits between two tries of a call.
    let workspacesSkippingRetryDelays = Mutex<Set<String>>([])
    /// Workspaces whose calls ask the embedded backend for TLS.
    let workspacesForcingTLS = Mutex<Set<String>>([])

    /// Actions and launches under way; a second one joins the first.
    let actions = SingleFlight<ActionKey, Result<ActionResult, any Error>>()
    /// Refreshes under way.
    let refreshes = SingleFlight<LaunchKey, Result<RefreshResult, any Error>>()
    /// What screens load when they are shown.
    let screenLoads = SingleFlight<ScreenLoadKey, Result<Void, any Error>>()

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

    struct ActionKey: Hashable, Sendable {
        var instance: AppInstance
        var launchID: Int
        var screen: String
        var action: String
    }

    struct LaunchKey: Hashable, Sendable {
        var instance: AppInstance
        var launchID: Int
    }

    struct ScreenLoadKey: Hashable, Sendable {
        var instance: AppInstance
        var launchID: Int
        var screen: String
    }

    /// What a refresh came to.
    enum RefreshResult: Sendable {
        /// Another access token is stored than the one that was refused.
        case refreshed
        case sessionExpired
        /// Not now: the tokens are kept.
        case unavailable(CallFailure)
    }

    /// Publishes an event of a place and answers its id.
    @discardableResult func publish(
        _ instance: AppInstance, _ kind: Event.Kind, _ title: String, subject: String? = nil,
        cause: Int64? = nil, details: [String: String] = [:]
    ) -> Int64 {
        hub.publish(
            EventDraft(
                workspace: instance.workspace, kind: kind, app: instance.app,
                device: instance.device,
                cause: cause, subject: subject, title: title, details: details)
        ).id
    }

    func context(_ instance: AppInstance, _ app: App) async throws -> ActionContext {
        let (device, persisted, transient) = try await stateStore.state(instance, app)
        let isMisled = workspacesForcingTLS.withLock { $0.contains(instance.workspace) }
        return ActionContext(
            app: app, device: device, persisted: persisted, transient: transient,
            embeddedBackend: isMisled ? embeddedBackend.forcingTLS : embeddedBackend)
    }

    /// What came home after the app was killed is noted and dropped.
    func publishDropped(_ run: ActionRun, _ what: String) {
        publish(
            run.instance, .appKilled,
            "The answer to \(what) came after the app was killed; nothing of it was kept",
            cause: run.causeEvent, details: ["dropped": what])
    }
}
