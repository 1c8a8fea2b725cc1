import Apps
import Web

/// `/storyboard/{app}`: every screen of an app in every state.
struct BoardPages: Sendable {
    let services: Services
    let scopeResolver: ScopeResolver
    let frames: FrameBuilder
    let stateCache: StateCache

    var routes: [Route] {
        [
            Route(.get, "/storyboard", handler: redirectToFirstApp),
            Route(.get, "/storyboard/{app}", handler: show),
            Route(.post, "/storyboard/{app}/run", handler: rerender),
        ]
    }

    @Sendable private func redirectToFirstApp(_ context: RequestContext) async throws -> Response {
        .redirect(to: services.firstApp.map { Links.storyboard($0) } ?? Links.home)
    }

    /// The page, or with `part` one section of it.
    @Sendable private func show(_ context: RequestContext) async throws -> Response {
        let asked = try context.query(allowing: BoardQuery.parameterNames + ["part"])
        let id = context.parameters["app"] ?? ""
        let workspace = try scopeResolver.workspace(of: context)
        let broken = try ManifestErrorPage(
            context, services, scopeResolver, frames, navItemID: "storyboard")
        if let broken { return try await broken.response(part: asked["part"]) }
        let address = try BoardQuery(app: id, query: asked)
        let app = try services.app(id)
        let beside = try address.comparedAppID.map(services.app)
        // One of another app narrows to nothing; one of none is a mistake.
        if let screen = address.screen, !services.apps.contains(where: { $0.screen(screen) != nil })
        {
            throw Problem.unknownScreen(screen)
        }
        let model = try await BoardBuilder(
            services: services, frames: frames, workspace: workspace, csrf: context.csrfToken,
            query: address, app: app, comparedApp: beside, stateCache: stateCache,
            origin: context.origin(services.port)
        ).build()
        return try PageRenderer(
            templates: services.templates, pageTemplate: "storyboard/sheet",
            partTemplates: ["panel": "storyboard/panel", "status": "storyboard/status"]
        ).response(asked["part"], model, frame: model.frame)
    }

    @Sendable private func rerender(_ context: RequestContext) async throws -> Response {
        let app = try services.app(of: context)
        let form = try Form(context.request)
        stateCache.invalidate(app.id)
        return .redirect(to: Links.validatedBackURL(form["back"]) ?? Links.storyboard(app.id))
    }
}
