import Apps
import Simulator
import Web

/// The timeline as a page of its own, a list for narrow screens.
extension StudioPages {
    var timelineRoutes: [Route] { [Route(.get, "/studio/{app}/timeline", handler: showTimeline)] }

    @Sendable private func showTimeline(_ context: RequestContext) async throws -> Response {
        let part = try context.query(allowing: ["part"])["part"]
        let (instance, cookie) = try await resolveInstance(of: context)
        let status = try await services.simulator.status(instance)
        let timelineURL = Links.timeline(instance.app)
        let model = TimelineListModel(
            frame: try await frames.frame(
                "\(status.app.name) timeline", navItem: "studio", workspace: instance.workspace,
                csrfToken: context.csrfToken, partURL: Links.partURL(timelineURL, [])),
            csrfToken: context.csrfToken,
            partURL: Links.partURL(timelineURL, []), appID: instance.app, appName: status.app.name,
            deviceID: instance.device, studioURL: Links.studio(instance.app),
            events: services.timeline(of: instance), base: status.baseURL)
        return try PageRenderer(
            templates: services.templates, pageTemplate: "studio/timelinepage",
            partTemplates: ["bursts": "studio/bursts"]
        ).response(part, model, frame: model.frame, setting: cookie)
    }
}
