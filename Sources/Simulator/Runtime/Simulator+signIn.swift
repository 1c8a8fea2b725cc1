package import Apps
import Web

extension Simulator {
    /// Signs a user in through the UI: finds the screen that needs only an email address and a
    /// password or a mailed code, and submits it.
    ///
    /// `code` is called for the mailed code after the app requested one. Throws a `Problem` if the
    /// app has no such screen or none of them signs in; it then contains the last failure.
    package func signIn(
        _ instance: AppInstance, email: String, password: String?,
        code: @Sendable () async throws -> String?
    ) async throws -> Session {
        let app = try app(instance)
        _ = try await launch(instance)
        if let session = try await activeSession(instance) { return session }
        var lastFailure: String?
        for screen in app.signInScreens {
            guard let form = screen.signInForm(email: email, password: password) else { continue }
            try await navigate(try await context(instance, app), to: screen)
            var input = form
            if let field = screen.fields.first(where: { $0.type == .code }) {
                guard try await requestMail(instance, on: screen, form) != nil,
                    let mailedCode = try await code()
                else { continue }
                input[field.name] = mailedCode
            }
            _ = try await runAction(
                instance, screen: screen.id, action: Action.submitName, form: input)
            if let session = try await activeSession(instance) { return session }
            lastFailure = try await status(instance).failure?.message ?? lastFailure
        }
        throw Problem(
            status: 409, code: "sign-in-failed", title: "\(app.name) did not sign in",
            detail: lastFailure.map { "Message: \($0)" }
                ?? "It has no screen that signs in with just an email and"
                + " password, or an emailed code.")
    }

    /// Performs the action that requests a mail without leaving the screen; returns it, or nil if
    /// the screen has no such action.
    package func requestMail(_ instance: AppInstance, on screen: Screen, _ form: [String: String])
        async throws -> Action?
    {
        let device = try await status(instance).device
        for action in screen.actions
        where !action.calls.isEmpty && !action.isInert && action.destination == nil
            && action.navigationRules.isEmpty && device.supports(action)
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
    /// Forms that need no session, the ones with the fewest fields first: a sign-in has fewer than
    /// a registration.
    fileprivate var signInScreens: [Screen] {
        screens.filter { $0.requirement == nil && $0.submitAction?.calls.isEmpty == false }
            .enumerated().sorted {
                ($0.element.fields.count, $0.offset) < ($1.element.fields.count, $1.offset)
            }.map(\.element)
    }
}

extension Screen {
    /// The form's values; nil if it needs others.
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
