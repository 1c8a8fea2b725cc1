import Apps
import Backend
import Core
import FoundationEssentials
import Simulator
import Traffic
import Web
import Workspaces

/// One attempt at a state: runs the app for real in its own workspace with its own device and
/// account.
struct StatePlayback {
    let player: StatePlayer
    let state: StoryboardState
    let attempt: Attempt
    let instance: AppInstance
    /// The contract of the attempt's backend.
    let contract: String
    /// The persona whose data is typed.
    let sample = SamplePersona()
    /// The steps recorded so far.
    private(set) var steps = [
        StateRecording.Step(number: 1, instruction: "Fresh device", detail: "workspace")
    ]
    /// The account added on the backend.
    private(set) var accountID: String?
    /// The failure message of the last action: that of the manifest's row its call's response
    /// matched. Empty for none, nil before.
    var lastMessage: String?

    var app: App { state.app }
    var simulator: Simulator { player.simulator }
    var backend: EmbeddedBackend { player.backend }

    mutating func recordStep(_ instruction: String, detail: String) {
        steps.append(.init(number: steps.count + 1, instruction: instruction, detail: detail))
    }

    /// Plays the app up to the state and captures it; nil if the app ends up in another state.
    mutating func reachState() async throws -> ScreenCapture? {
        let screen = state.screen
        defer { simulator.stopForcingTLS(instance.workspace) }
        try await prepare()
        if state.cause == .sessionExpired { return try await loseSession(on: screen) }
        let actingScreen = state.actingScreen
        guard try await navigate(to: actingScreen) else { return nil }
        if let names = state.action?.requiredNames, !names.isEmpty {
            guard try await provide(names, on: actingScreen) else { return nil }
        }
        switch state.cause {
        case .initial: return try await captureScreen()
        case .disabled(let name):
            guard let action = screen.action(name) else { return nil }
            let capture = try await captureScreen()
            recordStep("Leave the form empty", detail: screen.id)
            return screen.isEnabled(action, capture.status.fieldValues) ? nil : capture
        case .confirm(let name): return try await openConfirmation(of: name, on: screen)
        case .page(let name): return try await openPage(of: name, on: screen)
        case .fieldError(let field, let message):
            return try await causeFieldError(field, message: message, on: screen)
        case .loading(let name): return try await captureLoading(of: name, on: screen)
        case .network(let name, _), .unknownFailure(let name):
            let (result, capture) = try await runAction(name, on: actingScreen)
            return !result.succeeded && capture.status.failure != nil
                && capture.status.screen == screen.id ? capture : nil
        case .failure(let name, _, _):
            let (result, capture) = try await runAction(name, on: actingScreen)
            return result.matchedFailure != nil
                && result.matchedFailure?.message == state.failureRow?.message
                && result.screen == screen.id ? capture : nil
        case .success(let name, let feedback):
            let (result, capture) = try await runAction(name, on: screen)
            let status = capture.status
            let isShown =
                switch feedback {
                case .toast: status.toast != nil
                case .notice: status.notice != nil
                case .alert: status.alert != nil
                }
            return result.succeeded && isShown ? capture : nil
        case .sessionExpired: return nil
        case .loadFailure(let call):
            let capture = try await captureScreen()
            let names = app.call(call, backend: attempt.backend)?.success.capturePointers.keys
            let isLoaded = names?.allSatisfy { capture.status.availableValues[$0] != nil } ?? true
            return isLoaded || capture.status.screen != screen.id ? nil : capture
        case .choice(let name, _, _), .contribution(let name):
            let (result, capture) = try await runAction(name, on: actingScreen)
            return result.succeeded && capture.status.screen == screen.id ? capture : nil
        case .bypass(let name):
            _ = try await runAction(name, on: actingScreen)
            return try await openLink(to: screen) ? try await captureScreen() : nil
        }
    }

    // MARK: Preconditions

    private mutating func prepare() async throws {
        if app.backends.first?.id != attempt.backend {
            try await simulator.chooseBackend(
                instance, backend: attempt.backend, base: nil, settings: nil)
            recordStep("Choose the backend", detail: attempt.backend)
        }
        if case .wrongSetting(let name) = attempt.variation {
            try await simulator.chooseBackend(
                instance, backend: attempt.backend, base: nil, settings: [name: "harbour"])
            recordStep("Enter invalid \(name)", detail: "settings")
        }
        if case .flippedSwitch(let name) = attempt.variation {
            let isOn =
                backend.contractInfos(in: instance.workspace).first { $0.contractID == contract }?
                .switches.first { $0.name == name }?.isOn ?? false
            _ = try await backend.setSwitch(name, isOn: !isOn, of: contract, in: instance.workspace)
            recordStep(isOn ? "Turn off \(name)" : "Turn on \(name)", detail: "backend")
        }
        guard app.asksForEmail, let state = attempt.accountState else { return }
        var draft = AccountDraft(
            email: sample.email, password: sample.password,
            // A disabled account, and one with a second factor, is a verified one.
            state: AccountDraft.State(rawValue: state.rawValue) ?? .verified,
            displayName: backend.storedName("Mira Holt", contract: contract))
        // A contract without passwords ignores one.
        let fields = app.screens.flatMap(\.fields)
        if !fields.contains(where: { $0.type == .password }) { draft.password = nil }
        draft.hasAuthenticator = state == .secondFactor
        let added = try await backend.addAccount(
            contract: contract, workspace: instance.workspace, draft: draft)
        accountID = added.account.id
        recordStep("Add \(sample.email)", detail: state.rawValue)
        if state == .disabled { try await apply(.disabled) }
    }

    /// Applies an event to the account on the backend, or to the token on the device.
    mutating func apply(_ event: Attempt.AccountEvent) async throws {
        if event == .tokenExpired {
            try await simulator.expireAccessToken(instance, at: backend)
            return recordStep("Expire access token", detail: "storage")
        }
        var id = accountID
        if id == nil { id = try await simulator.status(instance).session?.userID }
        guard let id else { return }
        let step: String
        var change = AccountChange()
        switch event {
        case .signedOut: (step, change.shouldSignOut) = ("Sign out everywhere", true)
        case .disabled: (step, change.isDisabled) = ("Disable the account", true)
        case .locked:
            step = "Lock the account"
            change.lock = .locked(seconds: AccountChange.defaultLockSeconds)
        case .deleted, .tokenExpired: step = "Delete the account"
        }
        if event == .deleted {
            try await backend.delete(account: id, workspace: instance.workspace)
        } else {
            _ = try await backend.change(change, account: id, workspace: instance.workspace)
        }
        recordStep(step, detail: "backend")
    }

    /// Injects the attempt's faults, or forces TLS, from now on.
    mutating func injectFaults() async throws {
        if attempt.variation == .forcedTLS {
            simulator.forceTLS(instance.workspace)
            recordStep("Force TLS error", detail: "backend")
        }
        guard case .faults(let drafts) = attempt.variation else { return }
        _ = try await player.faults.add(drafts, in: instance.workspace)
        for draft in drafts { recordStep(draft.title, detail: "fault") }
    }

    // MARK: Navigation

    /// Returns false if the app shows another screen.
    mutating func navigate(to screen: Screen) async throws -> Bool {
        switch attempt.entryPath {
        case .direct:
            if screen.kind == .launch {
                recordStep("Start the app", detail: screen.id)
                return true
            }
            try await launch()
        case .signedIn:
            if case .loadFailure = state.cause { try await injectFaults() }
            try await signIn()
            if screen.kind == .launch {
                if app.launch.contains(where: \.refreshesExpiredToken) {
                    try await apply(.tokenExpired)
                }
                try await simulator.relaunch(instance, isKill: false)
                recordStep("Relaunch", detail: screen.id)
                return true
            }
        case .relaunched:
            try await signIn()
            try await injectFaults()
            try await simulator.relaunch(instance, isKill: false)
            try await launch()
        case .sessionEnded:
            try await signIn()
            if try await giveConsent() {
                _ = try await endSession()
                try await signIn()
            }
            _ = try await endSession()
        case .locked:
            try await signIn()
            if let (other, action) = app.lockingAction(for: screen) {
                guard try await openLink(to: other) else { return false }
                _ = try await press(action.name, on: other, .valid)
            }
            try await simulator.relaunch(instance, isKill: false)
            try await launch()
        case .registered(let choice):
            guard try await register(choice) else { return false }
            try await signIn()
            if case .loadFailure = state.cause { try await injectFaults() }
        case .viaAction(let other, let action):
            guard let other = app.screen(other) else { return false }
            if other.requirement == .session { try await signIn() } else { try await launch() }
            guard try await openLink(to: other) else { return false }
            let (_, capture) = try await press(action, on: other, .valid)
            return capture.status.screen == screen.id
        }
        return try await openLink(to: screen)
    }

    /// Captures the screen the app shows now; follows redirects.
    func captureScreen(of screen: String? = nil) async throws -> ScreenCapture {
        var next: String
        if let screen { next = screen } else { next = try await simulator.status(instance).screen }
        for _ in 0..<4 {
            switch try await simulator.openScreen(instance, screen: next) {
            case .show(let status): return ScreenCapture(status: status)
            case .redirect(let other): next = other
            }
        }
        return ScreenCapture(status: try await simulator.status(instance))
    }

    private mutating func launch() async throws {
        let result = try await simulator.launch(instance)
        recordStep("Start the app", detail: result.screen)
    }

    /// Signs in as the app does. If the backend rejects the sign-in, the app stays on the screen it
    /// shows then.
    mutating func signIn() async throws {
        let since = simulator.clocks.now(in: instance.workspace)
        do {
            _ = try await simulator.signIn(instance, email: sample.email, password: sample.password)
            { [mailbox = backend.mailbox, instance, contract, sample] in
                try await mailbox.newestCode(
                    to: sample.email, from: contract, in: instance.workspace, since: since)
            }
        } catch let problem as Problem where problem.code == "sign-in-failed" {}
        let shown = try await simulator.status(instance).screen
        recordStep("Sign in", detail: shown)
        if attempt.accountState == .secondFactor, shown != state.actingScreen.id,
            let form = app.screen(shown), form.asksForSecondFactor
        {
            _ = try await press(Action.submitName, on: form, .valid)
        }
    }

    /// Registers with the app's form and confirms the account; false if the form made none.
    private mutating func register(_ choice: SignInChoice) async throws -> Bool {
        guard let form = app.screen(choice.screen) else { return false }
        try await launch()
        guard try await openLink(to: form) else { return false }
        _ = try await press(Action.submitName, on: form, .valid)
        var query = AccountQuery(workspace: instance.workspace)
        query.contract = contract
        guard let account = try await backend.accounts(query).page.items.first else { return false }
        var change = AccountChange()
        change.isVerified = true
        _ = try await backend.change(change, account: account.id, workspace: instance.workspace)
        recordStep("Verify \(sample.email)", detail: "backend")
        return true
    }

    /// Allows the app to store what the state's biometric check reads; false if that needs no
    /// consent.
    private mutating func giveConsent() async throws -> Bool {
        let key = state.action?.biometricCheck?.storageKey
        guard let name = app.storage.first(where: { $0.key == key })?.consentName else {
            return false
        }
        for other in app.screens {
            guard other.fields.contains(where: { $0.name == name }),
                let action = other.allActions.first(where: { $0.namesToStore.contains(name) }),
                try await openLink(to: other)
            else { continue }
            _ = try await press(action.name, on: other, .valid)
        }
        return true
    }

    /// Ends the session on the server and relaunches the app, which then notices. Returns the
    /// screen it shows.
    mutating func endSession() async throws -> String {
        try await apply(.signedOut)
        try await apply(.tokenExpired)
        try await simulator.relaunch(instance, isKill: false)
        let screen = try await simulator.launch(instance).screen
        recordStep("Relaunch", detail: screen)
        return screen
    }

    /// Opens the screen by its URL, as a link does.
    private mutating func openLink(to screen: Screen) async throws -> Bool {
        let currentScreen = try await captureScreen(of: screen.id).status.screen
        if steps.last?.detail != screen.id {
            recordStep("Go to \(screen.id)", detail: currentScreen)
        }
        return currentScreen == screen.id
    }
}

extension Screen {
    /// Whether it asks for a code within a session, which is a second factor's.
    var asksForSecondFactor: Bool {
        requirement == .session && fields.contains { $0.type == .code }
    }
}

extension Fault.Draft {
    /// A capitalized title: `Delay by 20 s`.
    fileprivate var title: String {
        switch kind {
        case .slow: "Delay by \(Format.seconds(delay ?? Self.defaultDelay))"
        case .status: "Return \(status ?? 500)"
        default: displayName.capitalizedFirst
        }
    }
}

extension Mailbox {
    /// The code of the newest mail; a mail is stored before the response to its request is sent.
    func newestCode(
        to address: String, from contract: String, in workspace: String, since: Date? = nil
    ) async throws -> String? {
        try await waitForMail(
            workspace: workspace, to: address, app: contract, purpose: nil, since: since,
            timeout: .zero)?.code
    }
}
