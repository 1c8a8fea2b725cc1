import Web

/// `/storyboard/{app}/accessibility`: names, focus order, targets, contrast
/// and announcements of every state, measured by the browser that shows it.
struct AccessibilityPages: Sendable {
    let services: Services
    let scopeResolver: ScopeResolver
    let frames: FrameBuilder
    let stateCache: StateCache

    var routes: [Route] { [Route(.get, "/storyboard/{app}/accessibility", handler: show)] }

    @Sendable private func show(_ context: RequestContext) async throws -> Response {
        let workspace = try scopeResolver.workspace(of: context)
        let broken = try ManifestErrorPage(
            context, services, scopeResolver, frames, navItemID: "storyboard")
        if let broken { return try await broken.response(part: nil) }
        let app = try services.app(of: context)
        let asked = try context.query(allowing: AccessibilityQuery.parameterNames + ["part"])
        let model = try await AccessibilityBuilder(
            services: services, frames: frames, stateCache: stateCache, workspace: workspace,
            csrf: context.csrfToken, query: try AccessibilityQuery(app: app, query: asked)
        ).build()
        return try PageRenderer(
            templates: services.templates, pageTemplate: "storyboard/accessibility",
            partTemplates: [:]
        ).response(asked["part"], model, frame: model.frame)
    }
}
