import Apps
import Simulator
import Web

/// `/storyboard/{app}/map`: the recorded transitions, and those a test run did not cover.
struct TransitionMapPages: Sendable {
    let services: Services

    var routes: [Route] { [Route(.get, "/storyboard/{app}/map", handler: show)] }

    @Sendable private func show(_ context: RequestContext) async throws -> Response {
        if let errorPage = ManifestErrorPage(context, services, navItemID: "storyboard") {
            return try await errorPage.response()
        }
        let app = try services.app(of: context)
        let query = try context.query(allowing: ["run", "part"])
        let page = try await TransitionMapBuilder(
            services: services, app: app,
            scope: try await TransitionMapScope(query["run"], services)
        ).build()
        return try await services.respond(
            to: context, page, "storyboard/map", parts: ["map": "storyboard/mapbody"])
    }
}
