import Apps
import Web

extension Simulator {
    /// Where the app stands on this device, without moving it.
    package func status(_ instance: AppInstance) async throws -> AppStatus {
        runner.status(try await runner.context(instance, try app(instance)))
    }

    /// Shows `screen` (GET): a screen that needs a session and has none leads
    /// elsewhere, and so does one the app would not show now.
    package func openScreen(_ instance: AppInstance, screen: String) async throws -> ScreenResult {
        let app = try app(instance)
        return try await runner.openScreen(instance, app, try self.screen(screen, of: app))
    }

    /// Turns to a tab of the screen shown now and takes along what was typed
    /// there; answers the screen that is shown then.
    package func switchTab(_ instance: AppInstance, to screen: String, form: [String: String])
        async throws
        -> String
    {
        let app = try app(instance)
        return try await runner.switchTab(instance, app, to: try self.screen(screen, of: app), form)
    }

    /// Runs the launch table as the splash does (also its Retry). An app that
    /// has left its splash is not started again: it answers where it is.
    package func launch(_ instance: AppInstance) async throws -> ActionResult {
        try await runner.launch(instance, try app(instance))
    }

    /// Does an action with what was typed. A second one of the same name
    /// joins the first.
    ///
    /// `sensor` is what was answered at its prompt, if the action has one;
    /// without it the device's own answer counts.
    package func runAction(
        _ instance: AppInstance, screen: String, action: String, form: [String: String],
        sensor: Device.Biometrics.Result? = nil
    ) async throws -> ActionResult {
        let (app, screen, found) = try findAction(action, on: screen, instance)
        return try await runner.runAction(instance, app, screen, found, form: form, sensor: sensor)
    }

    /// Before the prompt of an action's sensor: keeps what was typed, or
    /// throws if the device does not show the action.
    package func preparePrompt(
        _ instance: AppInstance, screen: String, action: String, form: [String: String]
    )
        async throws -> ActionResult
    {
        let (app, screen, found) = try findAction(action, on: screen, instance)
        return try await runner.preparePrompt(instance, app, screen, found, form: form)
    }

    private func findAction(_ action: String, on screen: String, _ instance: AppInstance) throws
        -> (
            App, Screen, Action
        )
    {
        let app = try app(instance)
        let screen = try self.screen(screen, of: app)
        guard let found = screen.action(action) else {
            throw Problem.unknownAction(
                action, on: screen.id, available: screen.allActions.map(\.name))
        }
        return (app, screen, found)
    }

    /// The alert was answered: it does not come again.
    package func dismissAlert(_ instance: AppInstance) async throws {
        _ = try await runner.context(instance, try app(instance))
        stateStore.updateTransient(instance) { transient in
            transient.alert = nil
            if transient.failure?.presentation == .alert { transient.failure = nil }
        }
    }

    /// A cold start: what is not stored is forgotten, the splash is shown.
    package func relaunch(_ instance: AppInstance, isKill: Bool) async throws {
        try await runner.coldStart(instance, try app(instance), isKill: isKill)
    }

    /// Kills the app in the middle of the action under way: its requests go
    /// on, the device never hears of the answers.
    package func killDuringAction(_ instance: AppInstance) async throws {
        try await runner.coldStart(instance, try app(instance), isKill: true)
    }

    /// Kills the app as soon as the first request of a form's next submit
    /// leaves; other actions leave it armed. It is called off with `isArmed`
    /// false, and by a cold start.
    package func setKillOnNextSubmit(_ instance: AppInstance, isArmed: Bool = true) async throws {
        let app = try app(instance)
        let device = try await runner.context(instance, app).device
        let was = stateStore.updateTransient(instance) { transient in
            defer { transient.willKillOnNextSubmit = isArmed }
            return transient.willKillOnNextSubmit
        }
        guard was != isArmed else { return }
        publishDeviceChange(
            device, app: app.id,
            isArmed
                ? "\(app.name) will be killed in its next submit"
                : "\(app.name) will not be killed in its next submit")
    }
}
