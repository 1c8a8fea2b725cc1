import Apps
import Simulator
import Synchronization

/// One visitor's walk through one app: a workspace of its own with a phone
/// and somebody who holds it.
final class WalkthroughSession: Sendable {
    let workspace: String
    let app: String
    private let state: Mutex<State>
    /// The newest piece of work; the next one waits for it.
    private let lastTask = Mutex<Task<Void, Never>?>(nil)

    struct State: Sendable {
        var device: String
        var person = SamplePersona()
        /// People met so far.
        var personCount = 1
        /// The newest exchange before the last stretch of the way, so that
        /// those after it are what the stretch did.
        var lastExchangeSequence: Int64 = 0
        /// The step the phone could not be brought to last, and what it said.
        var failedNavigation: (step: String, said: String?)?
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

    /// Somebody else goes on, of whom the backend has not heard.
    func startNewPerson() {
        update { state in
            state.personCount += 1
            state.person.email = "mira.holt\(state.personCount)@example.com"
        }
    }

    /// One after the other: two tabs move the same phone. Goes on although
    /// whoever asked has left.
    func runExclusively<Result: Sendable>(_ work: @escaping @Sendable () async throws -> Result)
        async throws
        -> Result
    {
        let task = lastTask.withLock { last in
            let before = last
            let task = Task {
                await before?.value
                return try await work()
            }
            last = Task { _ = await task.result }
            return task
        }
        return try await task.value
    }
}
