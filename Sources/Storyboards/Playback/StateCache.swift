package import Apps
package import Backend
package import Core
package import FoundationEssentials
package import Simulator
import Synchronization
package import Traffic
package import Workspaces

/// Plays states on demand and caches the recordings until the manifest changes.
package final class StateCache: Sendable {
    private let player: StatePlayer
    private let entries = Mutex<[String: AppEntry]>([:])

    private struct AppEntry {
        var app: App
        var runningTasks: [StateID: Task<StateRecording, any Error>] = [:]
        var recordings: [StateID: StateRecording] = [:]
        /// The attempt that reached the state; tried first on the next playback.
        var successfulAttempts: [StateID: Attempt] = [:]
        /// By screen, the action's screen, and action.
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

    /// Returns the cached recording, or plays the state. Concurrent calls share one playback.
    package func recording(of state: StoryboardState) async throws -> StateRecording {
        let app = state.app
        let task = entries.withLock { entries -> Task<StateRecording, any Error> in
            var entry = entries[app.id] ?? AppEntry(app: app)
            if entry.app != app { entry = AppEntry(app: app) }
            defer { entries[app.id] = entry }
            if let running = entry.runningTasks[state.id] { return running }
            if let recording = entry.recordings[state.id] { return Task { recording } }
            let startingAttempt = entry.successfulAttempts[state.id]
            let searchKey = [
                state.screen.id, state.actingScreen.id, state.cause.action ?? "",
            ]
            var search = entry.searches[searchKey] ?? FailureSearch()
            let isSearch = state.failureRow != nil
            let (previousTask, memo) = (search.lastTask, search.memo)
            // An unstructured task: it continues if the caller is canceled, because the cached
            // result is needed again.
            let task = Task { [self] in
                do {
                    if isSearch { _ = try? await previousTask?.value }
                    let (recording, attempt) = try await player.play(
                        state, startingWith: startingAttempt, memo: memo)
                    store(recording, attempt, for: state)
                    return recording
                } catch {
                    store(nil, nil, for: state)
                    throw error
                }
            }
            if isSearch { search.lastTask = task }
            entry.searches[searchKey] = search
            entry.runningTasks[state.id] = task
            return task
        }
        return try await task.value
    }

    /// The cached recordings; plays nothing.
    package func cachedRecordings(of app: App) -> [StateID: StateRecording] {
        entries.withLock { entries in
            entries[app.id].flatMap { $0.app == app ? $0.recordings : nil } ?? [:]
        }
    }

    /// Discards all recordings and searches of the app, so that its states are played again on
    /// demand.
    package func invalidate(_ app: String) {
        entries.withLock { entries in
            entries[app]?.recordings = [:]
            entries[app]?.searches = [:]
        }
    }

    /// Discards one recording and its screen's searches, so that the state is played again on
    /// demand.
    package func invalidate(_ id: StateID) {
        entries.withLock { entries in
            entries[id.app]?.recordings[id] = nil
            let searches = entries[id.app]?.searches ?? [:]
            entries[id.app]?.searches = searches.filter { $0.key.first != id.screen }
        }
    }

    private func store(
        _ recording: StateRecording?, _ attempt: Attempt?, for state: StoryboardState
    ) {
        entries.withLock { entries in
            guard entries[state.app.id]?.app == state.app else { return }
            entries[state.app.id]?.runningTasks[state.id] = nil
            guard let recording else { return }
            entries[state.app.id]?.recordings[state.id] = recording
            entries[state.app.id]?.successfulAttempts[state.id] = attempt
        }
    }
}

/// Records the result of each attempt at one action, so that searches for its other failure states
/// skip known ones.
final class AttemptMemo: Sendable {
    private let messages = Mutex<[Attempt: String]>([:])

    /// The failure message the attempt led to, empty for none; nil if it was not tried.
    func message(for attempt: Attempt) -> String? { messages.withLock { $0[attempt] } }

    func record(_ attempt: Attempt, message: String) { messages.withLock { $0[attempt] = message } }
}

/// The recorded playback of one state of a screen.
package struct StateRecording: Sendable {
    package var outcome: Outcome
    /// The steps that reached the state, or those of the first failed attempt.
    package var steps: [Step]
    /// On the system clock.
    package var playedAt: Date

    /// The state's screen, or why it was not reached.
    package enum Outcome: Sendable {
        case reached(ScreenCapture)
        /// `reason` is a sentence.
        case unreachable(reason: String)
    }

    /// `Fill Email, Password` on `login`.
    package struct Step: Encodable, Sendable {
        /// From 1.
        package var number: Int
        package var instruction: String
        /// Where or by what: a screen, `workspace`, `fault`.
        package var detail: String
    }

    /// Why the state was not reached; nil if it was.
    package var unreachableReason: String? {
        if case .unreachable(let reason) = outcome { reason } else { nil }
    }
}

/// A captured status of a screen, which can be rendered repeatedly.
package struct ScreenCapture: Sendable {
    package var status: AppStatus
    /// The action whose confirmation is open.
    package var confirmingAction: String?
    /// The action that is in progress.
    package var loadingAction: String?
    /// The HTML of the page that the app's browser shows instead of the screen.
    package var page: [UInt8]?
}
