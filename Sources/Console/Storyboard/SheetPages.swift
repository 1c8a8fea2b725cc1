import Apps
import Web

/// `/storyboard/{app}`: every screen of an app in every state.
struct SheetPages: Sendable {
    let services: Services
    let visitors: Visitors
    let frames: FrameBuilder
    let stage: Stage

    var routes: [Route] {
        [
            Route(.get, "/storyboard", handler: first),
            Route(.get, "/storyboard/{app}", handler: show),
            Route(.post, "/storyboard/{app}/run", handler: run),
        ]
    }

    @Sendable private func first(_ visit: Visit) async throws -> Response {
        .redirect(to: services.firstApp.map { Links.storyboard($0) } ?? Links.home)
    }

    /// The page, or with `part` one section of it.
    @Sendable private func show(_ visit: Visit) async throws -> Response {
        let asked = try visit.query(allowing: SheetAddress.names + ["part"])
        let id = visit.parameters["app"] ?? ""
        let workspace = try visitors.workspace(of: visit)
        let broken = try ManifestPage(visit, services, visitors, frames, place: "storyboard")
        if let broken { return try await broken.answer(part: asked["part"]) }
        let address = try SheetAddress(app: id, asked: asked)
        let app = try services.app(id)
        let beside = try address.beside.map(services.app)
        // One of another app narrows to nothing; one of none is a mistake.
        if let screen = address.screen, !services.apps.contains(where: { $0.screen(screen) != nil })
        {
            throw Problem.unknownScreen(screen)
        }
        let model = try await SheetBuilder(
            services: services, frames: frames, workspace: workspace, csrf: visit.csrf,
            address: address, app: app, beside: beside, stage: stage,
            origin: visit.origin(services.port)
        ).build()
        return try PageParts(
            templates: services.templates, page: "storyboard/sheet",
            parts: ["panel": "storyboard/panel", "status": "storyboard/status"]
        ).answer(asked["part"], model, frame: model.frame)
    }

    @Sendable private func run(_ visit: Visit) async throws -> Response {
        let app = try services.app(of: visit)
        let form = try Form(visit.request)
        stage.forget(app.id)
        return .redirect(to: Links.back(form["back"]) ?? Links.storyboard(app.id))
    }
}
