import Core
import Simulator
import Web

/// `/`: entry points, and the apps with their states.
struct HomePages: Sendable {
    let services: Services
    let cardArtwork: CardArtwork

    var routes: [Route] { [Route(.get, Links.home, handler: show)] }

    @Sendable private func show(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: ["part"])
        let workspace = try services.workspace(of: context)
        let device = try await services.scopeResolver.device(of: context, in: workspace)
        let page = try await HomeBuilder(
            services: services, cardArtwork: cardArtwork, workspace: workspace, device: device
        ).build()
        return try await services.respond(
            to: context, page, "home/home", parts: ["apps": "home/apps"])
    }
}

/// Finds the cover images that apps provide for their cards on the home page.
///
/// `AssetPages` serves them from the same two folders.
struct CardArtwork: Sendable {
    let publicFolder: String
    let userApps: String?

    /// The URL of an app's file; nil if it does not exist.
    func url(_ file: String, ofApp id: String) -> String? {
        let candidates = [
            FolderReader.status("apps/\(id)/\(file)", in: publicFolder),
            userApps.flatMap { FolderReader.status("\(id)/public/\(file)", in: $0) },
        ]
        let exists = candidates.contains { $0?.kind == .file }
        return exists ? Links.appAsset(id, file) : nil
    }
}
