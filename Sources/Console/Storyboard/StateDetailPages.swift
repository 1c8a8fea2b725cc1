import Apps
import Storyboards
import Web

/// `/storyboard/{app}/{screen}/{state}`: one state on its own, at several sizes and in both
/// appearances.
struct StateDetailPages: Sendable {
    let services: Services
    let scopeResolver: ScopeResolver
    let frames: FrameBuilder
    let stateCache: StateCache

    var routes: [Route] {
        let path = "/storyboard/{app}/{screen}/{state}"
        return [Route(.get, path, handler: show), Route(.post, path + "/render", handler: replay)]
    }

    @Sendable private func show(_ context: RequestContext) async throws -> Response {
        let query = try context.query(
            allowing: StateDetailBuilder.DisplayOptions.parameterNames + ["part"])
        let options = try StateDetailBuilder.DisplayOptions(query: query)
        let (app, screen, state) = try services.screenState(of: context)
        let key = StateRecording.Key(screen: screen.id, state: state.name)
        let page = Links.storyboardState(app.id, key)
        let recording = try await stateCache.recording(app, screen, state)
        let title = StateTitles(app, screen).title(of: state)
        let frame = try await frames.frame(
            "\(screen.id), \(title)", navItem: "storyboard",
            workspace: try scopeResolver.workspace(of: context), csrfToken: context.csrfToken,
            partURL: Links.partURL(page, []))
        let model = try StateDetailBuilder(
            services: services, app: app, screen: screen, state: state, recording: recording,
            options: options,
            origin: context.origin(services.port)
        ).build(frame, csrfToken: context.csrfToken)
        return try PageRenderer(
            templates: services.templates, pageTemplate: "storyboard/state", partTemplates: [:]
        )
        .response(query["part"], model, frame: frame)
    }

    @Sendable private func replay(_ context: RequestContext) async throws -> Response {
        let (app, screen, state) = try services.screenState(of: context)
        let form = try Form(context.request)
        let key = StateRecording.Key(screen: screen.id, state: state.name)
        stateCache.invalidate(app.id, key)
        return .redirect(
            to: Links.validatedBackURL(form["back"]) ?? Links.storyboardState(app.id, key))
    }
}

extension RequestContext {
    /// The console's origin as this browser addresses it, `http://127.0.0.1:7070`.
    func origin(_ port: UInt16) -> String {
        "http://" + (request.headers["Host"] ?? "127.0.0.1:\(port)")
    }
}
