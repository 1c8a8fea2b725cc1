package import Apps
import Backend
package import Simulator
import Synchronization
import Traffic

/// A walkthrough of one app for one browser: its own workspace with a device and a person.
package final class WalkthroughSession: Sendable {
    package let workspace: String
    package let app: String
    let simulator: Simulator
    let backend: EmbeddedBackend
    let exchanges: ExchangeStore
    let catalog: AppCatalog
    /// `http://127.0.0.1:7071`.
    let backendBase: String
    private let state: Mutex<State>
    /// The newest exclusive task; the next one waits for it.
    private let lastTask = Mutex<Task<Void, Never>?>(nil)

    package struct State: Sendable {
        package var device: String
        package var person = SamplePersona()
        /// The number of persons so far.
        package var personCount = 1
        /// The newest exchange before the last navigation; later ones belong to that navigation.
        package var lastExchangeSequence: Int64 = 0
        /// The step the device could not be navigated to last, and the app's message.
        package var failedNavigation: (step: String, message: String?)?
    }

    init(
        workspace: String, app: String, device: String, simulator: Simulator,
        backend: EmbeddedBackend, exchanges: ExchangeStore, catalog: AppCatalog, backendBase: String
    ) {
        self.workspace = workspace
        self.app = app
        self.simulator = simulator
        self.backend = backend
        self.exchanges = exchanges
        self.catalog = catalog
        self.backendBase = backendBase
        state = Mutex(State(device: device))
    }

    /// The contract of the app's embedded backend, if it has one.
    var contract: String? { catalog.contract(ofApp: app) }

    package var current: State { state.withLock(\.self) }

    package var instance: AppInstance {
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
    func runExclusively(_ work: @escaping @Sendable () async throws -> Void) async throws {
        let task = lastTask.withLock { last in
            let task = Task { [last] in
                await last?.value
                try await work()
            }
            last = Task { _ = await task.result }
            return task
        }
        try await task.value
    }
}
