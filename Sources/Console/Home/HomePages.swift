import Simulator
import Web

/// `/`: what one comes for, and the apps with where they stand.
struct HomePages: Sendable {
    let services: Services
    let visitors: Visitors
    let frames: FrameBuilder
    let covers: Covers

    var routes: [Route] { [Route(.get, "/", handler: show)] }

    @Sendable private func show(_ visit: Visit) async throws -> Response {
        let part = try visit.query(allowing: ["part"])["part"]
        let workspace = try visitors.workspace(of: visit)
        let device = try await visitors.device(of: visit, in: workspace)
        let model = try await HomeBuilder(
            services: services, frames: frames, covers: covers, workspace: workspace,
            device: device, csrf: visit.csrf
        ).build()
        return try PageParts(
            templates: services.templates, page: "home/home", parts: ["apps": "home/apps"]
        ).answer(part, model, frame: model.frame)
    }
}
