import Apps
import Storyboards
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
            Route(.post, "/storyboard/{app}/render", handler: rerender),
        ]
    }

    @Sendable private func redirectToFirstApp(_ context: RequestContext) async throws -> Response {
        .redirect(to: services.firstApp.map { Links.storyboard($0) } ?? Links.home)
    }

    /// The page, or one section of it if `part` is given.
    @Sendable private func show(_ context: RequestContext) async throws -> Response {
        let query = try context.query(allowing: BoardQuery.parameterNames + ["part"])
        let id = context.parameters["app"] ?? ""
        let workspace = try scopeResolver.workspace(of: context)
        let errorPage = try ManifestErrorPage(
            context, services, scopeResolver, frames, navItemID: "storyboard")
        if let errorPage { return try await errorPage.response(part: query["part"]) }
        let boardQuery = try BoardQuery(app: id, query: query)
        let app = try services.app(id)
        let comparedApp = try boardQuery.comparedAppID.map(services.app)
        // A screen of another app filters out everything; a screen of no app is an error.
        if let screen = boardQuery.screen,
            !services.appCatalog.apps.contains(where: { $0.screen(screen) != nil })
        {
            throw Problem.unknownScreen(screen)
        }
        let model = try await BoardBuilder(
            services: services, frames: frames, workspace: workspace, csrf: context.csrfToken,
            query: boardQuery, app: app, comparedApp: comparedApp, stateCache: stateCache,
            origin: context.origin(services.port)
        ).build()
        return try PageRenderer(
            templates: services.templates, pageTemplate: "storyboard/board",
            partTemplates: ["panel": "storyboard/panel", "status": "storyboard/status"]
        ).response(query["part"], model, frame: model.frame)
    }

    @Sendable private func rerender(_ context: RequestContext) async throws -> Response {
        let app = try services.app(of: context)
        let form = try Form(context.request)
        stateCache.invalidate(app.id)
        return .redirect(to: Links.validatedBackURL(form["back"]) ?? Links.storyboard(app.id))
    }
}
