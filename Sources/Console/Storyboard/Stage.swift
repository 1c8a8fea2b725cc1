import Apps
import Synchronization

/// Plays states when they are first asked for and keeps what came of each
/// for as long as the manifest stays as it is.
final class Stage: Sendable {
    private let player: Player
    private let state = Mutex<[String: Plays]>([:])

    /// What is known of one app.
    private struct Plays {
        var app: App
        var running: [Scene.Key: Task<Scene, any Error>] = [:]
        var scenes: [Scene.Key: Scene] = [:]
        /// The way that led there, to be tried first the next time.
        var ways: [Scene.Key: Attempt] = [:]
        /// By screen and action.
        var searches: [[String]: Search] = [:]
    }

    /// Failures of one action are looked for one after another, so that each
    /// search knows what the ones before it came to.
    private struct Search {
        let experience = Experience()
        var last: Task<Scene, any Error>?
    }

    init(services: Services, leases: Leases) { player = Player(services: services, leases: leases) }

    /// The state as it was played, or as it is played now: `again` does not
    /// take what is known. Asked for twice at once it is played once.
    func scene(_ app: App, _ screen: Screen, _ wanted: ScreenState, again: Bool = false)
        async throws -> Scene
    {
        let key = Scene.Key(screen: screen.id, state: wanted.name)
        let task = state.withLock { state -> Task<Scene, any Error> in
            if state[app.id]?.app != app { state[app.id] = Plays(app: app) }
            var plays = state[app.id] ?? Plays(app: app)
            defer { state[app.id] = plays }
            if let running = plays.running[key] { return running }
            if !again, let scene = plays.scenes[key] { return Task { scene } }
            let way = plays.ways[key]
            let place = [screen.id, wanted.cause.action ?? ""]
            var search = plays.searches[place] ?? Search()
            let isSearch = wanted.cause.row(in: app) != nil
            let (before, experience) = (search.last, search.experience)
            // Whoever asked may go away; the next one wants it too.
            let task = Task { [self] in
                do {
                    if isSearch { _ = try? await before?.value }
                    let (scene, attempt) = try await player.play(
                        app, screen, wanted, first: way, experience)
                    note(scene, attempt, key, of: app)
                    return scene
                } catch {
                    note(nil, nil, key, of: app)
                    throw error
                }
            }
            if isSearch { search.last = task }
            plays.searches[place] = search
            plays.running[key] = task
            return task
        }
        return try await task.value
    }

    /// What is known without playing.
    func known(_ app: App) -> [Scene.Key: Scene] {
        state.withLock { state in state[app.id]?.app == app ? state[app.id]?.scenes ?? [:] : [:] }
    }

    /// Every state of the app is played again when it is next asked for.
    func forget(_ app: String) {
        state.withLock { state in
            state[app]?.scenes = [:]
            state[app]?.searches = [:]
        }
    }

    /// One state is played again when it is next asked for.
    func forget(_ app: String, _ key: Scene.Key) {
        state.withLock { state in
            state[app]?.scenes[key] = nil
            let searches = state[app]?.searches ?? [:]
            state[app]?.searches = searches.filter { $0.key.first != key.screen }
        }
    }

    private func note(_ scene: Scene?, _ attempt: Attempt?, _ key: Scene.Key, of app: App) {
        state.withLock { state in
            guard state[app.id]?.app == app else { return }
            state[app.id]?.running[key] = nil
            guard let scene else { return }
            state[app.id]?.scenes[key] = scene
            state[app.id]?.ways[key] = attempt
        }
    }
}
