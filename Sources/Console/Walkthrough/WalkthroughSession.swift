import Apps
import Simulator
import Synchronization

/// A walkthrough of one app for one browser: its own workspace with a device and a person.
final class WalkthroughSession: Sendable {
    let workspace: String
    let app: String
    private let state: Mutex<State>
    /// The newest exclusive task; the next one waits for it.
    private let lastTask = Mutex<Task<Void, Never>?>(nil)

    struct State: Sendable {
        var device: String
        var person = SamplePersona()
        /// The number of persons so far.
        var personCount = 1
        /// The newest exchange before the last navigation; later ones belong to that navigation.
        var lastExchangeSequence: Int64 = 0
        /// The step the device could not be navigated to last, and the app's message.
        var failedNavigation: (step: String, message: String?)?
    }

    init(workspace: String, app: String, device: String) {
        self.workspace = workspace
        self.app = app
        state = Mutex(State(device: device))
    }

    var current: State { state.withLock(\.self) }

    var instance: AppInstance {
        AppInstance(workspace: workspace, device: current.device, app: app)
    }

    func update(_ change: (inout sending State) -> Void) { state.withLock { change(&$0) } }

    /// Switches to a new person without an account on the backend.
    func startNewPerson() {
        update { state in
            state.personCount += 1
            state.person.email = "mira.holt\(state.personCount)@example.com"
        }
    }

    /// Runs tasks one after another, because two tabs control the same device. A task continues if
    /// its caller is canceled.
    func runExclusively<Result: Sendable>(_ work: @escaping @Sendable () async throws -> Result)
        async throws
        -> Result
    {
        let task = lastTask.withLock { last in
            let previous = last
            let task = Task {
                await previous?.value
                return try await work()
            }
            last = Task { _ = await task.result }
            return task
        }
        return try await task.value
    }
}
