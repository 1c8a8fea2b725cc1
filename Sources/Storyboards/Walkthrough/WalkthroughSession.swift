package import Apps
import Backend
import Core
package import Simulator
import Synchronization
import Traffic
import Web

/// A walkthrough of one app for one browser: its own workspace with a device and a person.
package final class WalkthroughSession: Sendable {
    package let workspace: String
    package let app: String
    let environment: Environment
    private let state: Mutex<State>
    /// The newest exclusive task; the next one waits for it.
    private let lastTask = Mutex<Task<Void, Never>?>(nil)

    /// What all sessions use.
    struct Environment: Sendable {
        let simulator: Simulator
        let backend: EmbeddedBackend
        let exchanges: ExchangeStore
        let catalog: AppCatalog
        /// `http://127.0.0.1:7071`.
        let backendBase: String
    }

    /// The current device and sample person.
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

    init(workspace: String, app: String, device: String, in environment: Environment) {
        self.workspace = workspace
        self.app = app
        self.environment = environment
        state = Mutex(State(device: device))
    }

    var simulator: Simulator { environment.simulator }
    private var backend: EmbeddedBackend { environment.backend }

    /// The contract of the app's embedded backend, if it has one.
    private var contract: String? { environment.catalog.contract(ofApp: app) }

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

/// Fills and submits forms with the data of the walkthrough's person, and reads the person's mail.
extension WalkthroughSession {
    /// Performs an action with an account in the required state: a sign-in form needs an account on
    /// the backend, a registration form must not have one.
    func perform(_ action: String, on screen: Screen, towards target: Screen) async throws {
        guard action == Action.submitName else {
            _ = try await performAction(action, on: screen, code: nil)
            return
        }
        let state: AccountDraft.State = target.kind == .verify ? .unverified : .verified
        if screen.requiresExistingAccount { try await createAccount(state: state) }
        if try await submit(screen) { return }
        // A form does not always reveal whether it needs an account.
        if try await hasAccount { startNewPerson() } else { try await createAccount(state: state) }
        if screen.requiresExistingAccount { try await createAccount(state: state) }
        _ = try await submit(screen)
    }

    /// Returns false if the screen stays and shows an error.
    private func submit(_ screen: Screen) async throws -> Bool {
        var code: String?
        if screen.fields.contains(where: { $0.type == .code }) {
            code = try await mailedCode(for: screen)
        }
        let result = try await performAction(Action.submitName, on: screen, code: code)
        return result.succeeded || result.screen != screen.id
    }

    private func performAction(_ action: String, on screen: Screen, code: String?) async throws
        -> ActionResult
    {
        var person = current.person
        if let code { person.code = code }
        return try await simulator.runAction(
            instance, screen: screen.id, action: action, form: screen.validInput(from: person))
    }

    /// The mailed code; requests a mail if there is none yet.
    private func mailedCode(for screen: Screen) async throws -> String? {
        if let code = try await newestUnusedMail(where: { $0.code != nil })?.code { return code }
        try await requestMail(on: screen)
        return try await newestUnusedMail(where: { $0.code != nil })?.code
    }

    // MARK: Mail

    /// The newest unused and unexpired mail; ten are enough for one person.
    func newestUnusedMail(where isWanted: (Mail) -> Bool = { _ in true }) async throws -> Mail? {
        let now = simulator.clocks.now(in: workspace)
        return try await backend.mailbox.list(
            workspace: workspace, to: current.person.email, app: contract, at: Keyset(limit: 10)
        ).items.first { mail in
            mail.usedAt == nil && mail.expiresAt.map { $0 > now } ?? true && isWanted(mail)
        }
    }

    /// Opens the link of the newest mail, as the device's browser would; returns false if there is
    /// none.
    package func openMail() async throws -> Bool {
        guard let link = try await newestUnusedMail(where: { $0.link != nil })?.link else {
            return false
        }
        let backendBase = environment.backendBase
        guard link.hasPrefix(backendBase + "/") else { return true }
        _ = await backend.responder(
            Request(
                method: .get, target: String(link.dropFirst(backendBase.count)),
                headers: [
                    "Host": String(backendBase.drop { $0 != "/" }.dropFirst(2)),
                    "Accept": "text/html",
                ]))
        return true
    }

    /// Runs the screen's action that requests a mail, if there is one.
    func requestMail(on screen: Screen) async throws {
        _ = try await simulator.requestMail(
            instance, on: screen, screen.validInput(from: current.person))
    }

    /// Opens the link of the mail that the screen waits for.
    func openVerificationLink(from screen: Screen) async throws {
        if try await newestUnusedMail(where: { $0.link != nil }) == nil {
            try await requestMail(on: screen)
        }
        _ = try await openMail()
    }

    // MARK: Account on the backend

    private var hasAccount: Bool {
        get async throws {
            guard let contract = contract else { return false }
            var query = AccountQuery(workspace: workspace)
            query.contract = contract
            query.text = current.person.email
            return try await backend.accounts(query).page.items.contains {
                $0.email == current.person.email
            }
        }
    }

    /// Adds the person's account to the backend unless it exists.
    private func createAccount(state: AccountDraft.State) async throws {
        guard let contract = contract, try await !hasAccount else { return }
        let person = current.person
        let draft = AccountDraft(
            email: person.email, password: person.password, state: state,
            displayName: backend.storedName(
                "\(person.firstName) \(person.lastName)", contract: contract))
        _ = try await backend.addAccount(contract: contract, workspace: workspace, draft: draft)
    }
}

extension Screen {
    /// Whether the form needs an existing account: it has a code field, or a password field that is
    /// not for a new password.
    fileprivate var requiresExistingAccount: Bool {
        fields.contains { $0.type == .code }
            || (fields.contains { $0.type == .password } && !asksForNewPassword)
    }
}
