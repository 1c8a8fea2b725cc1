import Apps
import Web

extension Simulator {
    /// Where the app stands on this device, without moving it.
    package func situation(_ place: Place) async throws -> Situation {
        runner.situation(try await runner.facts(place, try app(place)))
    }

    /// Shows `screen` (GET): a screen that needs a session and has none leads
    /// elsewhere, and so does one the app would not show now.
    package func open(
        _ place: Place, screen: String
    ) async throws -> Opening {
        let app = try app(place)
        return try await runner.open(
            place, app, try self.screen(screen, of: app))
    }

    /// Runs the launch table as the splash does (also its Retry). An app that
    /// has left its splash is not started again: it answers where it is.
    package func launch(_ place: Place) async throws -> Outcome {
        try await runner.launch(place, try app(place))
    }

    /// Does an action with what was typed. A second one of the same name
    /// joins the first.
    package func act(
        _ place: Place, screen: String, action: String, form: [String: String]
    ) async throws -> Outcome {
        let app = try app(place)
        let screen = try self.screen(screen, of: app)
        guard let found = screen.action(action) else {
            throw Problem.unknownAction(
                action, on: screen.id, known: screen.allActions.map(\.name))
        }
        return try await runner.act(place, app, screen, found, form: form)
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

    /// Kills the app as soon as its next action's first request leaves.
    package func killDuringNext(_ place: Place) async throws {
        _ = try await runner.facts(place, try app(place))
        cupboard.show(place) { $0.killsNext = true }
    }
}
