package import Apps
import Web

extension Simulator {
    /// Signs somebody in as a person would: finds the screen that asks for no
    /// more than an address and a password or a mailed code, and sends it.
    ///
    /// `code` is asked for the code that was mailed, once the app has asked
    /// for one. Throws a `Problem` if the app has no such screen or none of
    /// them let this person in; the last failure is told then.
    package func signIn(
        _ instance: AppInstance, email: String, password: String?,
        code: @Sendable () async throws -> String?
    ) async throws -> Session {
        let app = try app(instance)
        _ = try await launch(instance)
        if let session = try await activeSession(instance) { return session }
        var refusal: String?
        for screen in app.signInScreens {
            guard let form = screen.signInForm(email: email, password: password) else { continue }
            let launchID = try await runner.context(instance, app).transient.launchID
            try await runner.navigate(instance, app, to: screen, launchID: launchID)
            var typed = form
            if let field = screen.fields.first(where: { $0.type == .code }) {
                guard try await requestMail(instance, on: screen, form) != nil,
                    let sent = try await code()
                else { continue }
                typed[field.name] = sent
            }
            _ = try await runAction(
                instance, screen: screen.id, action: Action.submitName, form: typed)
            if let session = try await activeSession(instance) { return session }
            refusal = try await status(instance).failure?.message ?? refusal
        }
        throw Problem(
            status: 409, code: "not-entered", title: "\(app.name) did not sign in",
            detail: refusal.map { "It says: \($0)" }
                ?? "It has no screen that signs in with an address and a"
                + " password or a mailed code alone.")
    }

    /// Presses what makes the app mail something while it stays where it is;
    /// the action that did, nil if the screen has none that does.
    package func requestMail(_ instance: AppInstance, on screen: Screen, _ form: [String: String])
        async throws -> Action?
    {
        let device = try await status(instance).device
        for action in screen.actions
        where !action.calls.isEmpty && !action.isInert && action.destination == nil
            && action.navigationRules.isEmpty
            && device.supports(action)
        {
            let result = try await runAction(
                instance, screen: screen.id, action: action.name, form: form)
            if result.succeeded { return action }
        }
        return nil
    }

    private func activeSession(_ instance: AppInstance) async throws -> Session? {
        let session = try await status(instance).session
        return session?.endedAt == nil ? session : nil
    }
}

extension App {
    /// Forms that can be filled without a session, those that ask least
    /// first: who signs in tells less than who registers.
    fileprivate var signInScreens: [Screen] {
        screens.filter { $0.requirement == nil && $0.submitAction?.calls.isEmpty == false }
            .enumerated().sorted {
                ($0.element.fields.count, $0.offset) < ($1.element.fields.count, $1.offset)
            }.map(
                \.element)
    }
}

extension Screen {
    /// What is typed into it; nil if it asks for more than there is.
    fileprivate func signInForm(email: String, password: String?) -> [String: String]? {
        var form: [String: String] = [:]
        var hasAddress = false
        var hasSecret = false
        for field in fields {
            switch field.type {
            case .email:
                form[field.name] = email
                hasAddress = true
            case .password:
                guard let password, !hasSecret else { return nil }
                form[field.name] = password
                hasSecret = true
            case .code:
                guard !hasSecret else { return nil }
                hasSecret = true
            case .toggle, .choice: continue
            case .text, .phone: return nil
            }
        }
        return hasAddress && hasSecret ? form : nil
    }
}
