import Apps
import Web

extension Simulator {
    /// The app's status on this device; does not navigate.
    package func status(_ instance: AppInstance) async throws -> AppStatus {
        runner.status(try await runner.context(instance, try app(instance)))
    }

    /// Shows `screen` (GET). Redirects if the screen needs a missing session or the app would not
    /// show it now.
    package func openScreen(_ instance: AppInstance, screen: String) async throws -> ScreenResult {
        let app = try app(instance)
        return try await runner.openScreen(instance, app, try self.screen(screen, of: app))
    }

    /// Switches to a tab of the current screen and carries over its field values; returns the
    /// screen shown then.
    package func switchTab(_ instance: AppInstance, to screen: String, form: [String: String])
        async throws -> String
    {
        let app = try app(instance)
        return try await runner.switchTab(instance, app, to: try self.screen(screen, of: app), form)
    }

    /// Runs the launch table, also for Retry on the launch screen. An app that has left its launch
    /// screen is not started again: the result is its current screen.
    package func launch(_ instance: AppInstance) async throws -> ActionResult {
        try await runner.launch(instance, try app(instance))
    }

    /// Runs an action with the submitted form. While it runs, another
    /// submit of it gets the same result; its form is ignored.
    ///
    /// `sensor` is the result of the action's biometric prompt, if it has one; without it, the
    /// device's setting applies.
    package func runAction(
        _ instance: AppInstance, screen: String, action: String, form: [String: String],
        sensor: Device.Biometrics.Result? = nil
    ) async throws -> ActionResult {
        let (app, screen, manifestAction) = try findAction(action, on: screen, instance)
        return try await runner.runAction(
            instance, app, screen, manifestAction, form: form, sensor: sensor)
    }

    /// Stores the form's values before the action's biometric prompt; throws if the device does not
    /// offer the action.
    package func preparePrompt(
        _ instance: AppInstance, screen: String, action: String, form: [String: String]
    ) async throws -> ActionResult {
        let (app, screen, manifestAction) = try findAction(action, on: screen, instance)
        return try await runner.preparePrompt(instance, app, screen, manifestAction, form: form)
    }

    private func findAction(_ action: String, on screen: String, _ instance: AppInstance) throws
        -> (App, Screen, Action)
    {
        let app = try app(instance)
        let screen = try self.screen(screen, of: app)
        guard let manifestAction = screen.action(action) else {
            throw Problem.unknownAction(
                action, on: screen.id, available: screen.allActions.map(\.name))
        }
        return (app, screen, manifestAction)
    }

    /// Removes the alert.
    package func dismissAlert(_ instance: AppInstance) async throws {
        _ = try await runner.context(instance, try app(instance))
        stateStore.updateTransient(instance) { transient in
            transient.alert = nil
            if transient.failure?.presentation == .alert { transient.failure = nil }
        }
    }

    /// A cold start: clears what is not stored and shows the launch screen.
    package func relaunch(_ instance: AppInstance, isKill: Bool) async throws {
        try await runner.coldStart(instance, try app(instance), isKill: isKill)
    }

    /// Kills the app during the running action: its requests continue, and their responses are
    /// dropped.
    package func killDuringAction(_ instance: AppInstance) async throws {
        try await runner.coldStart(instance, try app(instance), isKill: true)
    }

    /// Kills the app as soon as the next form submit sends its first request; other actions do not
    /// trigger it. `isArmed` false or a cold start cancels it.
    package func setKillOnNextSubmit(_ instance: AppInstance, isArmed: Bool = true) async throws {
        let app = try app(instance)
        let device = try await runner.context(instance, app).device
        let wasArmed = stateStore.updateTransient(instance) { transient in
            defer { transient.willKillOnNextSubmit = isArmed }
            return transient.willKillOnNextSubmit
        }
        guard wasArmed != isArmed else { return }
        publishDeviceChange(
            device, app: app.id,
            isArmed
                ? "\(app.name) will crash on its next request"
                : "\(app.name) will not crash on its next request")
    }
}
