package import Apps
package import Backend
package import Core
package import Simulator
import Synchronization
package import Traffic
package import Workspaces

/// Plays states on demand and caches the recordings until the manifest changes.
package final class StateCache: Sendable {
    private let player: StatePlayer
    private let state = Mutex<[String: AppEntry]>([:])

    private struct AppEntry {
        var app: App
        var runningTasks: [StateRecording.Key: Task<StateRecording, any Error>] = [:]
        var recordings: [StateRecording.Key: StateRecording] = [:]
        /// The attempt that reached the state; tried first on the next playback.
        var successfulAttempts: [StateRecording.Key: Attempt] = [:]
        /// By screen and action.
        var searches: [[String]: FailureSearch] = [:]
    }

    /// The search for the failure states of one action. Its tasks run one after another, so that
    /// each uses the results of the ones before.
    private struct FailureSearch {
        let memo = AttemptMemo()
        var lastTask: Task<StateRecording, any Error>?
    }

    package init(
        simulator: Simulator, backend: EmbeddedBackend, faults: FaultStore, leases: Leases,
        world: World
    ) {
        player = StatePlayer(
            simulator: simulator, backend: backend, faults: faults, leases: leases, world: world)
    }

    /// Returns the cached recording, or plays the state; `ignoringCache` forces playback.
    /// Concurrent calls share one playback.
    package func recording(
        _ app: App, _ screen: Screen, _ screenState: ScreenState, ignoringCache: Bool = false
    )
        async throws -> StateRecording
    {
        let key = StateRecording.Key(screen: screen.id, state: screenState.name)
        let task = state.withLock { state -> Task<StateRecording, any Error> in
            if state[app.id]?.app != app { state[app.id] = AppEntry(app: app) }
            var entry = state[app.id] ?? AppEntry(app: app)
            defer { state[app.id] = entry }
            if let running = entry.runningTasks[key] { return running }
            if !ignoringCache, let recording = entry.recordings[key] { return Task { recording } }
            let startingAttempt = entry.successfulAttempts[key]
            let searchKey = [screen.id, screenState.cause.action ?? ""]
            var search = entry.searches[searchKey] ?? FailureSearch()
            let isSearch = screenState.cause.failureRow(in: app) != nil
            let (previousTask, memo) = (search.lastTask, search.memo)
            // An unstructured task: it continues if the caller is canceled, because the cached
            // result is needed again.
            let task = Task { [self] in
                do {
                    if isSearch { _ = try? await previousTask?.value }
                    let (recording, attempt) = try await player.play(
                        app, screen, screenState, startingWith: startingAttempt, memo: memo)
                    store(recording, attempt, for: key, of: app)
                    return recording
                } catch {
                    store(nil, nil, for: key, of: app)
                    throw error
                }
            }
            if isSearch { search.lastTask = task }
            entry.searches[searchKey] = search
            entry.runningTasks[key] = task
            return task
        }
        return try await task.value
    }

    /// The cached recordings; plays nothing.
    package func cachedRecordings(of app: App) -> [StateRecording.Key: StateRecording] {
        state.withLock { state in state[app.id]?.app == app ? state[app.id]?.recordings ?? [:] : [:]
        }
    }

    /// Discards all recordings and searches of the app, so that its states are played again on
    /// demand.
    package func invalidate(_ app: String) {
        state.withLock { state in
            state[app]?.recordings = [:]
            state[app]?.searches = [:]
        }
    }

    /// Discards one recording and its screen's searches, so that the state is played again on
    /// demand.
    package func invalidate(_ app: String, _ key: StateRecording.Key) {
        state.withLock { state in
            state[app]?.recordings[key] = nil
            let searches = state[app]?.searches ?? [:]
            state[app]?.searches = searches.filter { $0.key.first != key.screen }
        }
    }

    private func store(
        _ recording: StateRecording?, _ attempt: Attempt?, for key: StateRecording.Key, of app: App
    ) {
        state.withLock { state in
            guard state[app.id]?.app == app else { return }
            state[app.id]?.runningTasks[key] = nil
            guard let recording else { return }
            state[app.id]?.recordings[key] = recording
            state[app.id]?.successfulAttempts[key] = attempt
        }
    }
}

/// Records the result of each attempt at one action, so that searches for its other failure states
/// skip known ones.
final class AttemptMemo: Sendable {
    private let messages = Mutex<[Attempt: String]>([:])

    /// The failure message the attempt led to, empty for none; nil if it was not tried.
    func message(for attempt: Attempt) -> String? { messages.withLock { $0[attempt] } }

    func record(_ attempt: Attempt, message: String) {
        messages.withLock { $0[attempt] = message }
    }
}
