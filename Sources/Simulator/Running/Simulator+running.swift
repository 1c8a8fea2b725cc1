import Apps
import Web

extension Simulator {
    /// Where the app stands on this device, without moving it.
    package func situation(_ place: Place) async throws -> Situation {
        runner.situation(try await runner.facts(place, try app(place)))
    }

    /// Shows `screen` (GET): a screen that needs a session and has none leads
    /// elsewhere, and so does one the app would not show now.
    package func open(_ place: Place, screen: String) async throws -> Opening {
        let app = try app(place)
        return try await runner.open(place, app, try self.screen(screen, of: app))
    }

    /// Turns to a tab of the screen shown now and takes along what was typed
    /// there; answers the screen that is shown then.
    package func turn(_ place: Place, to screen: String, form: [String: String]) async throws
        -> String
    {
        let app = try app(place)
        return try await runner.turn(place, app, to: try self.screen(screen, of: app), form)
    }

    /// Runs the launch table as the splash does (also its Retry). An app that
    /// has left its splash is not started again: it answers where it is.
    package func launch(_ place: Place) async throws -> Outcome {
        try await runner.launch(place, try app(place))
    }

    /// Does an action with what was typed. A second one of the same name
    /// joins the first.
    ///
    /// `sensor` is what was answered at its prompt, if the action has one;
    /// without it the device's own answer counts.
    package func act(
        _ place: Place, screen: String, action: String, form: [String: String],
        sensor: Device.Biometrics.Result? = nil
    ) async throws -> Outcome {
        let (app, screen, found) = try find(action, on: screen, place)
        return try await runner.act(place, app, screen, found, form: form, sensor: sensor)
    }

    /// Before the prompt of an action's sensor: keeps what was typed, or
    /// throws if the device does not show the action.
    package func prompt(_ place: Place, screen: String, action: String, form: [String: String])
        async throws -> Outcome
    {
        let (app, screen, found) = try find(action, on: screen, place)
        return try await runner.prompt(place, app, screen, found, form: form)
    }

    private func find(_ action: String, on screen: String, _ place: Place) throws -> (
        App, Screen, Action
    ) {
        let app = try app(place)
        let screen = try self.screen(screen, of: app)
        guard let found = screen.action(action) else {
            throw Problem.unknownAction(action, on: screen.id, known: screen.allActions.map(\.name))
        }
        return (app, screen, found)
    }

    /// The alert was answered: it does not come again.
    package func dismiss(_ place: Place) async throws {
        _ = try await runner.facts(place, try app(place))
        cupboard.show(place) { shown in
            shown.alert = nil
            if shown.failure?.show == .alert { shown.failure = nil }
        }
    }

    /// A cold start: what is not stored is forgotten, the splash is shown.
    package func relaunch(_ place: Place, kill: Bool) async throws {
        try await runner.coldStart(place, try app(place), kills: kill)
    }

    /// Kills the app in the middle of the action under way: its requests go
    /// on, the device never hears of the answers.
    package func killDuring(_ place: Place) async throws {
        try await runner.coldStart(place, try app(place), kills: true)
    }

    /// Kills the app as soon as the first request of a form's next submit
    /// leaves; other actions leave it armed. It is called off with `isArmed`
    /// false, and by a cold start.
    package func killDuringNext(_ place: Place, isArmed: Bool = true) async throws {
        let app = try app(place)
        let device = try await runner.facts(place, app).device
        let was = cupboard.show(place) { shown in
            defer { shown.killsNext = isArmed }
            return shown.killsNext
        }
        guard was != isArmed else { return }
        tell(
            device, app: app.id,
            isArmed
                ? "\(app.name) will be killed in its next submit"
                : "\(app.name) will not be killed in its next submit")
    }
}
