import Apps
import Synchronization

/// Plays states when they are first asked for and keeps what came of each
/// for as long as the manifest stays as it is.
final class StateCache: Sendable {
    private let player: StatePlayer
    private let state = Mutex<[String: AppEntry]>([:])

    /// What is known of one app.
    private struct AppEntry {
        var app: App
        var runningTasks: [StateRecording.Key: Task<StateRecording, any Error>] = [:]
        var recordings: [StateRecording.Key: StateRecording] = [:]
        /// The way that led there, to be tried first the next time.
        var successfulAttempts: [StateRecording.Key: Attempt] = [:]
        /// By screen and action.
        var searches: [[String]: FailureSearch] = [:]
    }

    /// Failures of one action are looked for one after another, so that each
    /// search knows what the ones before it came to.
    private struct FailureSearch {
        let memo = AttemptMemo()
        var lastTask: Task<StateRecording, any Error>?
    }

    init(services: Services, leases: Leases) {
        player = StatePlayer(services: services, leases: leases)
    }

    /// The state as it was played, or as it is played now: `again` does not
    /// take what is known. Asked for twice at once it is played once.
    func recording(_ app: App, _ screen: Screen, _ wanted: ScreenState, ignoringCache: Bool = false)
        async throws -> StateRecording
    {
        let key = StateRecording.Key(screen: screen.id, state: wanted.name)
        let task = state.withLock { state -> Task<StateRecording, any Error> in
            if state[app.id]?.app != app { state[app.id] = AppEntry(app: app) }
            var plays = state[app.id] ?? AppEntry(app: app)
            defer { state[app.id] = plays }
            if let running = plays.runningTasks[key] { return running }
            if !ignoringCache, let scene = plays.recordings[key] { return Task { scene } }
            let way = plays.successfulAttempts[key]
            let place = [screen.id, wanted.cause.action ?? ""]
            var search = plays.searches[place] ?? FailureSearch()
            let isSearch = wanted.cause.failureRow(in: app) != nil
            let (before, experience) = (search.lastTask, search.memo)
            // Whoever asked may go away; the next one wants it too.
            let task = Task { [self] in
                do {
                    if isSearch { _ = try? await before?.value }
                    let (scene, attempt) = try await player.play(
                        app, screen, wanted, startingWith: way, memo: experience)
                    store(scene, attempt, for: key, of: app)
                    return scene
                } catch {
                    store(nil, nil, for: key, of: app)
                    throw error
                }
            }
            if isSearch { search.lastTask = task }
            plays.searches[place] = search
            plays.runningTasks[key] = task
            return task
        }
        return try await task.value
    }

    /// What is known without playing.
    func cachedRecordings(of app: App) -> [StateRecording.Key: StateRecording] {
        state.withLock { state in state[app.id]?.app == app ? state[app.id]?.recordings ?? [:] : [:]
        }
    }

    /// Every state of the app is played again when it is next asked for.
    func invalidate(_ app: String) {
        state.withLock { state in
            state[app]?.recordings = [:]
            state[app]?.searches = [:]
        }
    }

    /// One state is played again when it is next asked for.
    func invalidate(_ app: String, _ key: StateRecording.Key) {
        state.withLock { state in
            state[app]?.recordings[key] = nil
            let searches = state[app]?.searches ?? [:]
            state[app]?.searches = searches.filter { $0.key.first != key.screen }
        }
    }

    private func store(
        _ scene: StateRecording?, _ attempt: Attempt?, for key: StateRecording.Key, of app: App
    ) {
        state.withLock { state in
            guard state[app.id]?.app == app else { return }
            state[app.id]?.runningTasks[key] = nil
            guard let scene else { return }
            state[app.id]?.recordings[key] = scene
            state[app.id]?.successfulAttempts[key] = attempt
        }
    }
}
