import Apps
import Surroundings
import Synchronization
import Traffic
import Web

/// Plays the apps: actions, launches, refreshes, one step after another.
///
/// Everything happens in tasks of its own, so that a browser closed in the
/// middle changes nothing.
final class Runner: Sendable {
    let cupboard: Cupboard
    let recorder: Recorder
    let world: World
    let hub: EventHub
    let embedded: Embedded
    /// What backends were heard to say of sessions.
    let answers = Answers()

    /// Workspaces in which nobody waits between two tries of a call.
    let hurried = Mutex<Set<String>>([])
    /// Workspaces whose calls ask the embedded backend for TLS.
    let misled = Mutex<Set<String>>([])

    /// Actions and launches under way; a second one joins the first.
    let actions = SingleFlight<ActionKey, Result<Outcome, any Error>>()
    /// Refreshes under way.
    let renewals = SingleFlight<LifeKey, Result<Renewal, any Error>>()
    /// What screens load when they are shown.
    let loads = SingleFlight<LoadKey, Result<Void, any Error>>()

    init(cupboard: Cupboard, recorder: Recorder, world: World, hub: EventHub, embedded: Embedded) {
        self.cupboard = cupboard
        self.recorder = recorder
        self.world = world
        self.hub = hub
        self.embedded = embedded
    }

    struct ActionKey: Hashable, Sendable {
        var place: Place
        var life: Int
        var screen: String
        var action: String
    }

    struct LifeKey: Hashable, Sendable {
        var place: Place
        var life: Int
    }

    struct LoadKey: Hashable, Sendable {
        var place: Place
        var life: Int
        var screen: String
    }

    /// What a refresh came to.
    enum Renewal: Sendable {
        /// Another access token is stored than the one that was refused.
        case renewed
        case lost
        /// Not now: the tokens are kept.
        case unavailable(Trouble)
    }

    /// Publishes an event of a place and answers its id.
    @discardableResult func tell(
        _ place: Place, _ kind: Event.Kind, _ title: String, subject: String? = nil,
        cause: Int64? = nil, facts: [String: String] = [:]
    ) -> Int64 {
        hub.publish(
            EventDraft(
                workspace: place.workspace, kind: kind, app: place.app, device: place.device,
                cause: cause, subject: subject, title: title, facts: facts)
        ).id
    }

    func facts(_ place: Place, _ app: App) async throws -> Facts {
        let (device, kept, shown) = try await cupboard.look(place, app)
        let isMisled = misled.withLock { $0.contains(place.workspace) }
        return Facts(
            app: app, device: device, kept: kept, shown: shown,
            embedded: isMisled ? embedded.asksTLS : embedded)
    }

    /// What came home after the app was killed is noted and dropped.
    func drop(_ run: Run, _ what: String) {
        tell(
            run.place, .killed,
            "The answer to \(what) came after the app was killed; nothing of it was kept",
            cause: run.cause, facts: ["dropped": what])
    }
}
