import Apps
import Backend
import Simulator
import Web

/// Fills a walk's form with what its person would type, and sends it.
struct FormFiller: Sendable {
    let services: Services
    let walkthrough: WalkthroughSession

    /// Does an action as somebody for whom it works: who signs in is known to
    /// the backend, who registers is not.
    func perform(_ action: String, on screen: Screen, towards target: Screen) async throws {
        guard action == Action.submitName else {
            _ = try await performAction(action, on: screen, code: nil)
            return
        }
        let state: AccountDraft.State = target.kind == .verify ? .unverified : .verified
        if screen.requiresExistingAccount { try await createAccount(state: state) }
        if try await submit(screen) { return }
        // Whether a form wants somebody known cannot always be told from it.
        if try await hasAccount {
            walkthrough.startNewPerson()
        } else {
            try await createAccount(state: state)
        }
        if screen.requiresExistingAccount { try await createAccount(state: state) }
        _ = try await submit(screen)
    }

    /// False where the screen stays and says what was wrong.
    private func submit(_ screen: Screen) async throws -> Bool {
        var code: String?
        if screen.fields.contains(where: { $0.type == .code }) {
            code = try await self.mailedCode(for: screen)
        }
        let result = try await performAction(Action.submitName, on: screen, code: code)
        return result.succeeded || result.screen != screen.id
    }

    private func performAction(_ action: String, on screen: Screen, code: String?) async throws
        -> ActionResult
    {
        var person = walkthrough.current.person
        if let code { person.code = code }
        return try await services.simulator.runAction(
            walkthrough.instance, screen: screen.id, action: action,
            form: screen.validInput(from: person))
    }

    /// The code that was mailed, asked for if there is none yet.
    private func mailedCode(for screen: Screen) async throws -> String? {
        let post = WalkthroughMail(services: services, walkthrough: walkthrough)
        if let code = try await post.newestUnused(where: { $0.code != nil })?.code { return code }
        try await post.requestMail(on: screen)
        return try await post.newestUnused(where: { $0.code != nil })?.code
    }

    // MARK: The person at the backend

    private var hasAccount: Bool {
        get async throws {
            guard let contract = services.contract(ofApp: walkthrough.app) else { return false }
            var query = AccountQuery(workspace: walkthrough.workspace)
            query.contract = contract
            query.text = walkthrough.current.person.email
            return try await services.backend.accounts(query).items.contains {
                $0.email == walkthrough.current.person.email
            }
        }
    }

    /// Makes the backend know the person, if it does not yet.
    private func createAccount(state: AccountDraft.State) async throws {
        guard let contract = services.contract(ofApp: walkthrough.app), try await !hasAccount else {
            return
        }
        let person = walkthrough.current.person
        let known = AccountDraft(
            email: person.email, password: person.password, state: state,
            displayName: services.backend.storedName(
                "\(person.firstName) \(person.lastName)", contract: contract))
        _ = try await services.backend.addAccount(
            contract: contract, workspace: walkthrough.workspace, draft: known)
    }
}

extension Screen {
    /// Whether its form is for somebody who has an account already: it asks
    /// for a code, or for a password that is not being chosen here.
    fileprivate var requiresExistingAccount: Bool {
        fields.contains { $0.type == .code }
            || (fields.contains { $0.type == .password } && !asksForNewPassword)
    }
}
