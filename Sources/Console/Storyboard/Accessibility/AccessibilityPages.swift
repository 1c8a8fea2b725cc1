import Storyboards
import Web

/// `/storyboard/{app}/accessibility`: the accessibility report of every state.
///
/// The browser measures names, focus order, touch targets, contrast and announcements in the
/// states' frames.
struct AccessibilityPages: Sendable {
    let services: Services
    let scopeResolver: ScopeResolver
    let frames: FrameBuilder
    let stateCache: StateCache

    var routes: [Route] { [Route(.get, "/storyboard/{app}/accessibility", handler: show)] }

    @Sendable private func show(_ context: RequestContext) async throws -> Response {
        let workspace = try scopeResolver.workspace(of: context)
        let errorPage = try ManifestErrorPage(
            context, services, scopeResolver, frames, navItemID: "storyboard")
        if let errorPage { return try await errorPage.response(part: nil) }
        let app = try services.app(of: context)
        let query = try context.query(allowing: AccessibilityQuery.parameterNames + ["part"])
        let model = try await AccessibilityBuilder(
            services: services, frames: frames, stateCache: stateCache, workspace: workspace,
            csrf: context.csrfToken, query: try AccessibilityQuery(app: app, query: query)
        ).build()
        return try PageRenderer(
            templates: services.templates, pageTemplate: "storyboard/accessibility",
            partTemplates: [:]
        ).response(query["part"], model, frame: model.frame)
    }
}
