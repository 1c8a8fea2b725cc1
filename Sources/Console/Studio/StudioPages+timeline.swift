import Apps
import Simulator
import Web

/// The timeline as a page of its own: where the strip has no room, and to
/// read.
extension StudioPages {
    var timelineRoutes: [Route] { [Route(.get, "/studio/{app}/timeline", handler: timeline)] }

    @Sendable private func timeline(_ visit: Visit) async throws -> Response {
        let part = try visit.query(allowing: ["part"])["part"]
        let (place, cookie) = try await enter(visit)
        let situation = try await services.simulator.situation(place)
        let address = Links.timeline(place.app)
        let model = TimelineListModel(
            frame: try await frames.frame(
                "\(situation.app.name) timeline", place: "studio", workspace: place.workspace,
                csrf: visit.csrf, partURL: Links.part(address, [])), csrf: visit.csrf,
            partURL: Links.part(address, []), appID: place.app, appName: situation.app.name,
            deviceID: place.device, studioURL: Links.studio(place.app),
            events: services.timeline(of: place), base: situation.base)
        return try PageParts(
            templates: services.templates, page: "studio/timelinepage",
            parts: ["bursts": "studio/bursts"]
        ).answer(part, model, frame: model.frame, setting: cookie)
    }
}
