import Apps
import Simulator
import Surroundings
import Web

/// Putting one moment back.
extension StudioPages {
    var restoreRoutes: [Route] {
        [
            Route(.get, "/studio/{app}/restore", handler: askRestore),
            Route(.post, "/studio/{app}/restore", handler: restoreMoment),
        ]
    }

    @Sendable private func askRestore(_ visit: Visit) async throws -> Response {
        let asked = try visit.query(allowing: ["event", "part"])
        let (place, cookie) = try await enter(visit)
        let event = try services.event(asked["event"] ?? "", in: place.workspace)
        let model = ConfirmModel(
            frame: try await frame("Restore this moment", place, csrf: visit.csrf),
            csrf: visit.csrf,
            confirm: ConfirmModel.Confirm(
                action: Links.restore(place.app, event: event.id), question: "Restore this moment?",
                consequence: "“\(event.title)”, \(Words.moment(event.at)). "
                    + "What this device stores, its session and its screen "
                    + "become what they were then. The device alone: the "
                    + "server is not told, and a refresh token that was used "
                    + "since counts as reuse there.", yes: "Restore", no: "Leave it as it is",
                backURL: Links.studio(place.app), destroys: false))
        return try PageParts.confirm(asked["part"], model, services.templates, setting: cookie)
    }

    @Sendable private func restoreMoment(_ visit: Visit) async throws -> Response {
        let asked = try visit.query(allowing: ["event"])
        let (place, _) = try await enter(visit)
        let event = try services.event(
            try Form(visit.request)["event"] ?? asked["event"] ?? "", in: place.workspace)
        guard event.device == place.device, event.app == place.app else {
            throw Problem(
                status: 409, code: "other-device", title: "This happened on another device",
                detail: "A browser puts its own device back.",
                call: "POST /api/events/\(event.id)/restore does any.")
        }
        _ = try await services.restore(event)
        return back(place)
    }
}
