import Apps
import Backend
import FoundationEssentials
import Simulator
import Surroundings
import Traffic
import Web

/// One try at a state: a workspace, a device and a person of its own, on
/// which the app is really played.
final class Rehearsal {
    let services: Services
    let app: App
    let attempt: Attempt
    let place: Place
    /// The contract that answers.
    let contract: String
    /// What is typed.
    var sample = Sample()
    /// What was done so far.
    private(set) var steps: [Scene.Step] = []
    /// Who was added on the backend.
    private(set) var account: String?
    /// What the app said to the last press: the message of the manifest's row
    /// that its call's answer matched; empty for none, nil before.
    var heard: String?

    init(services: Services, app: App, attempt: Attempt, place: Place, contract: String) {
        self.services = services
        self.app = app
        self.attempt = attempt
        self.place = place
        self.contract = contract
        note("Fresh device", "workspace")
    }

    var simulator: Simulator { services.simulator }

    func note(_ what: String, _ detail: String) {
        steps.append(Scene.Step(what: what, detail: detail))
    }

    /// Plays it up to the state; nil if it came to something else.
    func perform(_ screen: Screen, _ cause: ScreenState.Cause) async throws -> Scene.Shot? {
        defer { simulator.guide(place.workspace) }
        try await prepare()
        if cause == .sessionLost { return try await lose(on: screen) }
        guard try await arrive(at: screen) else { return nil }
        switch cause {
        case .initial: return try await shot()
        case .disabled(let name):
            guard let action = screen.action(name) else { return nil }
            let shot = try await shot()
            note("Leave it empty", screen.id)
            return screen.isEnabled(action, shot.situation.values) ? nil : shot
        case .confirm(let name): return try await ask(name, on: screen)
        case .fieldError(let field, let message):
            return try await mistake(field, message, on: screen)
        case .loading(let name): return try await stop(in: name, on: screen)
        case .network(let name, _), .unknownFailure(let name):
            let (outcome, shot) = try await play(name, on: screen)
            return !outcome.succeeded && shot.situation.failure != nil
                && shot.situation.screen == screen.id ? shot : nil
        case .failure(let name, _, _):
            let row = cause.row(in: app)
            let (outcome, shot) = try await play(name, on: screen)
            return outcome.row != nil && outcome.row?.message == row?.message
                && outcome.screen == screen.id ? shot : nil
        case .success(let name, let saying):
            let (outcome, shot) = try await play(name, on: screen)
            return outcome.succeeded && shot.situation.says(saying) ? shot : nil
        case .sessionLost: return nil
        }
    }

    // MARK: The world

    private func prepare() async throws {
        if app.backends.first?.id != attempt.backend {
            try await simulator.chooseBackend(
                place, backend: attempt.backend, base: nil, settings: nil)
            note("Choose the backend", attempt.backend)
        }
        if case .misset(let name) = attempt.twist {
            try await simulator.chooseBackend(
                place, backend: attempt.backend, base: nil, settings: [name: "harbour"])
            note("Set \(name) wrong", "settings")
        }
        if case .switched(let name) = attempt.twist {
            let isOn =
                services.backend.services(in: place.workspace).first { $0.contract == contract }?
                .switches.first { $0.name == name }?.isOn ?? false
            _ = try await services.backend.turn(name, on: !isOn, of: contract, in: place.workspace)
            note(isOn ? "Turn off \(name)" : "Turn on \(name)", "backend")
        }
        guard app.knowsPeople, let state = attempt.account else { return }
        var person = Person(
            email: sample.email, password: sample.password, state: state.person,
            displayName: services.backend.kept(name: "Mira Holt", contract: contract))
        // A contract that knows no passwords makes no use of one.
        if !app.asksPassword { person.password = nil }
        let added = try await services.backend.addPerson(
            contract: contract, workspace: place.workspace, person: person)
        account = added.account.id
        note("Add \(sample.email)", state.rawValue)
        if state == .disabled { try await befall(.disabled) }
    }

    /// Something happens to the account on the backend.
    func befall(_ fate: Attempt.Fate) async throws {
        guard fate != .expired else {
            try await TokenAgeing(services: services).expire(place)
            note(fate.words, "storage")
            return
        }
        let id: String?
        if let account {
            id = account
        } else {
            id = try await simulator.situation(place).session?.userID
        }
        guard let id else { return }
        if fate == .deleted {
            try await services.backend.delete(account: id, workspace: place.workspace)
        } else {
            var change = AccountChange()
            switch fate {
            case .signedOut: change.signsOut = true
            case .disabled: change.disabled = true
            case .locked: change.lock = .locked(seconds: AccountChange.usualLock)
            case .deleted, .expired: break
            }
            _ = try await services.backend.change(change, account: id, workspace: place.workspace)
        }
        note(fate.words, "backend")
    }

    /// Conditions strike from now on, or no connection is made.
    func trouble() async throws {
        if attempt.twist == .misled {
            simulator.mislead(place.workspace)
            note("Ask for TLS where there is none", "backend")
        }
        guard case .conditions(let drafts) = attempt.twist else { return }
        _ = try await services.conditions.add(drafts, in: place.workspace)
        for draft in drafts { note(draft.title, "condition") }
    }
}

extension Attempt.Account {
    fileprivate var person: Person.State {
        switch self {
        case .verified, .disabled: .verified
        case .unverified: .unverified
        case .locked: .locked
        }
    }
}

extension Attempt.Fate {
    fileprivate var words: String {
        switch self {
        case .signedOut: "Sign out everywhere"
        case .deleted: "Delete the account"
        case .disabled: "Disable the account"
        case .locked: "Lock the account"
        case .expired: "Let the access token expire"
        }
    }
}

extension App {
    fileprivate var asksPassword: Bool {
        screens.contains { screen in screen.fields.contains { $0.type == .password } }
    }
}

extension Situation {
    fileprivate func says(_ saying: ScreenState.Saying) -> Bool {
        switch saying {
        case .toast: toast != nil
        case .notice: notice != nil
        case .alert: alert != nil
        }
    }
}

extension Condition.Draft {
    /// What it does, at the beginning of a line: `Slow by 20 s`.
    fileprivate var title: String {
        switch kind {
        case .slow: "Slow by \(Words.seconds(delay ?? Self.defaultDelay))"
        case .status: "Answer \(status ?? 500)"
        default: word.prefix(1).uppercased() + word.dropFirst()
        }
    }
}
