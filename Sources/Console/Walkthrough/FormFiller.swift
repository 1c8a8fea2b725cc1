import Apps
import Backend
import Simulator
import Web

/// Fills a walk's form with what its person would type, and sends it.
struct FormFiller: Sendable {
    let services: Services
    let walk: Walk

    /// Does an action as somebody for whom it works: who signs in is known to
    /// the backend, who registers is not.
    func send(_ action: String, on screen: Screen, towards target: Screen) async throws {
        guard action == Action.submitName else {
            _ = try await act(action, on: screen, code: nil)
            return
        }
        let state: Person.State = target.kind == .verify ? .unverified : .verified
        if screen.asksWho { try await introduce(state) }
        if try await submit(screen) { return }
        // Whether a form wants somebody known cannot always be told from it.
        if try await isKnown { walk.meetSomebody() } else { try await introduce(state) }
        if screen.asksWho { try await introduce(state) }
        _ = try await submit(screen)
    }

    /// False where the screen stays and says what was wrong.
    private func submit(_ screen: Screen) async throws -> Bool {
        var code: String?
        if screen.fields.contains(where: { $0.type == .code }) {
            code = try await self.code(for: screen)
        }
        let outcome = try await act(Action.submitName, on: screen, code: code)
        return outcome.succeeded || outcome.screen != screen.id
    }

    private func act(_ action: String, on screen: Screen, code: String?) async throws -> Outcome {
        var person = walk.now.person
        if let code { person.code = code }
        return try await services.simulator.act(
            walk.place, screen: screen.id, action: action, form: screen.filled(as: person))
    }

    /// The code that was mailed, asked for if there is none yet.
    private func code(for screen: Screen) async throws -> String? {
        let post = Post(services: services, walk: walk)
        if let code = try await post.newest(where: { $0.code != nil })?.code { return code }
        try await post.ask(on: screen)
        return try await post.newest(where: { $0.code != nil })?.code
    }

    // MARK: The person at the backend

    private var isKnown: Bool {
        get async throws {
            guard let contract = services.contract(ofApp: walk.app) else { return false }
            var query = AccountQuery(workspace: walk.workspace)
            query.contract = contract
            query.text = walk.now.person.email
            return try await services.backend.accounts(query).items.contains {
                $0.email == walk.now.person.email
            }
        }
    }

    /// Makes the backend know the person, if it does not yet.
    private func introduce(_ state: Person.State) async throws {
        guard let contract = services.contract(ofApp: walk.app), try await !isKnown else { return }
        let person = walk.now.person
        let known = Person(
            email: person.email, password: person.password, state: state,
            displayName: services.backend.kept(
                name: "\(person.firstName) \(person.lastName)", contract: contract))
        _ = try await services.backend.addPerson(
            contract: contract, workspace: walk.workspace, person: known)
    }
}

extension Screen {
    /// Whether its form is for somebody who has an account already: it asks
    /// for a code, or for a password that is not being chosen here.
    fileprivate var asksWho: Bool {
        fields.contains { $0.type == .code }
            || (fields.contains { $0.type == .password } && !choosesPassword)
    }
}
