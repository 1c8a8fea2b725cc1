import Apps
import Web

/// `/storyboard/{app}/{screen}/{state}`: one state by itself, at several
/// sizes and in both appearances, which step to the next one together.
struct ScenePages: Sendable {
    let services: Services
    let visitors: Visitors
    let frames: FrameBuilder
    let stage: Stage

    var routes: [Route] {
        let path = "/storyboard/{app}/{screen}/{state}"
        return [Route(.get, path, handler: show), Route(.post, path + "/again", handler: again)]
    }

    @Sendable private func show(_ visit: Visit) async throws -> Response {
        let asked = try visit.query(allowing: SceneBuilder.View.names + ["part"])
        let view = try SceneBuilder.View(asked: asked)
        let (app, screen, state) = try services.state(of: visit)
        let key = Scene.Key(screen: screen.id, state: state.name)
        let page = Links.scene(app.id, key)
        let scene = try await stage.scene(app, screen, state)
        let title = StateWords(app, screen).title(of: state)
        let frame = try await frames.frame(
            "\(screen.id), \(title)", place: "storyboard",
            workspace: try visitors.workspace(of: visit), csrf: visit.csrf,
            partURL: Links.part(page, []))
        let model = try SceneBuilder(
            services: services, app: app, screen: screen, state: state, scene: scene, view: view,
            origin: visit.origin(services.port)
        ).build(frame, csrf: visit.csrf)
        return try PageParts(templates: services.templates, page: "storyboard/scene", parts: [:])
            .answer(asked["part"], model, frame: frame)
    }

    @Sendable private func again(_ visit: Visit) async throws -> Response {
        let (app, screen, state) = try services.state(of: visit)
        let form = try Form(visit.request)
        let key = Scene.Key(screen: screen.id, state: state.name)
        stage.forget(app.id, key)
        return .redirect(to: Links.back(form["back"]) ?? Links.scene(app.id, key))
    }
}

extension Visit {
    /// The console as this browser reaches it, `http://127.0.0.1:7070`.
    func origin(_ port: UInt16) -> String {
        "http://" + (request.headers["Host"] ?? "127.0.0.1:\(port)")
    }
}
