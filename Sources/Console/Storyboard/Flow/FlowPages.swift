import Apps
import Simulator
import Web

/// `/storyboard/{app}/flow`: which screens and ways were really seen, and
/// which a test run did not visit.
struct FlowPages: Sendable {
    let services: Services
    let visitors: Visitors
    let frames: FrameBuilder

    var routes: [Route] { [Route(.get, "/storyboard/{app}/flow", handler: show)] }

    @Sendable private func show(_ visit: Visit) async throws -> Response {
        let workspace = try visitors.workspace(of: visit)
        let broken = try ManifestPage(visit, services, visitors, frames, place: "storyboard")
        if let broken { return try await broken.answer(part: nil) }
        let app = try services.app(of: visit)
        let asked = try visit.query(allowing: ["seen", "part"])
        let model = try await FlowBuilder(
            services: services, frames: frames, app: app, workspace: workspace, csrf: visit.csrf,
            scope: try await FlowScope(asked["seen"], services)
        ).build()
        return try PageParts(
            templates: services.templates, page: "storyboard/flow",
            parts: ["map": "storyboard/flowmap"]
        ).answer(asked["part"], model, frame: model.frame)
    }
}
