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
        let state = try services.screenState(of: context)
        let recording = try await stateCache.recording(of: state)
        let frame = try await frames.frame(
            "\(state.screen.id), \(state.title)", navItem: "storyboard",
            workspace: try scopeResolver.workspace(of: context), csrfToken: context.csrfToken,
            partURL: Links.partURL(Links.storyboardState(state.id), []))
        let model = StateDetailBuilder(
            services: services, state: state, recording: recording,
            options: options,
            origin: context.origin(services.port)
        ).build(frame, csrfToken: context.csrfToken)
        return try PageRenderer(
            templates: services.templates, pageTemplate: "storyboard/state", partTemplates: [:]
        )
        .response(query["part"], model, frame: frame)
    }

    @Sendable private func replay(_ context: RequestContext) async throws -> Response {
        let id = try services.screenState(of: context).id
        let form = try Form(context.request)
        stateCache.invalidate(id)
        return .redirect(
            to: Links.validatedBackURL(form["back"]) ?? Links.storyboardState(id))
    }
}

extension RequestContext {
    /// The console's origin as this browser addresses it, `http://127.0.0.1:7070`.
    func origin(_ port: UInt16) -> String {
        "http://" + (request.headers["Host"] ?? "127.0.0.1:\(port)")
    }
}
