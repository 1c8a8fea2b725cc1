import Simulator
import Web

/// `/`: entry points, and the apps with their states.
struct HomePages: Sendable {
    let services: Services
    let scopeResolver: ScopeResolver
    let frames: FrameBuilder
    let cardArtwork: CardArtwork

    var routes: [Route] { [Route(.get, "/", handler: show)] }

    @Sendable private func show(_ context: RequestContext) async throws -> Response {
        let part = try context.query(allowing: ["part"])["part"]
        let workspace = try scopeResolver.workspace(of: context)
        let device = try await scopeResolver.device(of: context, in: workspace)
        let model = try await HomeBuilder(
            services: services, frames: frames, cardArtwork: cardArtwork, workspace: workspace,
            device: device, csrf: context.csrfToken
        ).build()
        return try PageRenderer(
            templates: services.templates, pageTemplate: "home/home",
            partTemplates: ["apps": "home/apps"]
        ).response(part, model, frame: model.frame)
    }
}
