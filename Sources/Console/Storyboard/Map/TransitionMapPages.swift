import Apps
import Simulator
import Web

/// `/storyboard/{app}/flow`: which screens and ways were really seen, and
/// which a test run did not visit.
struct TransitionMapPages: Sendable {
    let services: Services
    let scopeResolver: ScopeResolver
    let frames: FrameBuilder

    var routes: [Route] { [Route(.get, "/storyboard/{app}/flow", handler: show)] }

    @Sendable private func show(_ context: RequestContext) async throws -> Response {
        let workspace = try scopeResolver.workspace(of: context)
        let broken = try ManifestErrorPage(
            context, services, scopeResolver, frames, navItemID: "storyboard")
        if let broken { return try await broken.response(part: nil) }
        let app = try services.app(of: context)
        let asked = try context.query(allowing: ["seen", "part"])
        let model = try await TransitionMapBuilder(
            services: services, frames: frames, app: app, workspace: workspace,
            csrf: context.csrfToken,
            scope: try await TransitionMapScope(asked["seen"], services)
        ).build()
        return try PageRenderer(
            templates: services.templates, pageTemplate: "storyboard/flow",
            partTemplates: ["map": "storyboard/flowmap"]
        ).response(asked["part"], model, frame: model.frame)
    }
}
