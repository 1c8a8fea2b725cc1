import Apps
import Simulator
import Web

/// `/storyboard/{app}/map`: the recorded transitions, and those a test run did not cover.
struct TransitionMapPages: Sendable {
    let services: Services

    var routes: [Route] { [Route(.get, "/storyboard/{app}/map", handler: show)] }

    @Sendable private func show(_ context: RequestContext) async throws -> Response {
        let workspace = try services.workspace(of: context)
        let errorPage = try ManifestErrorPage(
            context, services, navItemID: "storyboard")
        if let errorPage { return try await errorPage.response(part: nil) }
        let app = try services.app(of: context)
        let query = try context.query(allowing: ["run", "part"])
        let model = try await TransitionMapBuilder(
            services: services, app: app, workspace: workspace,
            csrf: context.csrfToken,
            scope: try await TransitionMapScope(query["run"], services)
        ).build()
        return try PageRenderer(
            templates: services.templates, pageTemplate: "storyboard/map",
            partTemplates: ["map": "storyboard/mapbody"]
        ).response(query["part"], model, frame: model.frame)
    }
}
