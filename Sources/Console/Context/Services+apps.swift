import Apps
import Core
import Simulator
import Storyboards
import Templates
import Traffic
import Web

extension Services {
    /// The graph of a manifest, made once for it.
    func screenGraph(of app: App) -> ScreenGraph {
        screenGraphs.value(for: .init(app: ObjectIdentifier(app))) { ScreenGraph(of: app) }
    }

    /// The graph of a manifest with the traversed edges that it lacks, for a page of its own, made
    /// once for them.
    func screenGraph(of app: App, adding edges: [ScreenGraphEdge]) -> ScreenGraph {
        screenGraphs.value(for: .init(app: ObjectIdentifier(app), addedEdges: edges)) {
            screenGraph(of: app).adding(edges)
        }
    }

    /// The states of all screens of a manifest, listed once for it.
    func storyboardStates(of app: App) -> [StoryboardState] {
        storyboardStates.value(for: ObjectIdentifier(app)) { (app, app.storyboardStates) }.1
    }

    /// The app named in the path; throws a 404 or 503 with the reason if there is none.
    func app(of context: RequestContext) throws(Problem) -> App {
        try app(context.parameters["app"] ?? "")
    }

    /// The app with this id; throws like `app(of:)`.
    func app(_ id: String) throws(Problem) -> App {
        guard let app = appCatalog.app(id) else { throw problem(ofApp: id) }
        return app
    }

    /// Wraps `routes` so that each request reads changed manifests and templates from disk: a saved
    /// file is effective at the next reload.
    func reloadingManifests(_ routes: [Route]) -> [Route] {
        routes.map { route in
            route.replacingHandler { context in
                appCatalog.rescan()
                templates.rescan()
                return try await route.handler(context)
            }
        }
    }

    /// Why `id` is not a running app: unknown, or its manifest is broken.
    func problem(ofApp id: String) -> Problem {
        guard let error = manifestError(ofApp: id) else { return .unknownApp(id) }
        return Problem(
            status: 503, code: "broken-manifest", title: "Manifest error in \(id)",
            detail: error.allErrors.map(\.summary).joined(separator: "\n"))
    }

    /// The error of an app that cannot run; nil if it runs or is unknown.
    func manifestError(ofApp id: String) -> ManifestError? {
        for case .broken(id, let error) in appCatalog.entries() { return error }
        return nil
    }

    /// The first valid app, for links to "the studio".
    var firstApp: String? { appCatalog.apps.first?.id }

    // MARK: Paths

    /// The base URL of an exchange's backend from the app's manifest, so that paths can be shown
    /// relative to it; nil if there is no such backend.
    ///
    /// A custom base URL entered by the user is not known here; those paths are shown in full.
    func baseURL(of exchange: Exchange) -> String? {
        appCatalog.app(exchange.app)?.backends.first { $0.id == exchange.backend }?.baseURL(
            embeddedAt: backendBase, workspace: exchange.workspace)
    }

    /// `POST /auth/login`: the method, and the path below the backend's base URL with masked
    /// tokens.
    func title(of detail: ExchangeDetail) -> String {
        let exchange = detail.exchange
        return exchange.method + " "
            + detail.masked(Format.path(exchange.pathAndQuery, below: baseURL(of: exchange)))
    }

    /// The path prefixes of all apps' backend calls.
    func backendRootPaths(in workspace: String) -> [String] {
        appCatalog.apps.flatMap(\.backends).map {
            String(URLParts($0.baseURL(embeddedAt: backendBase, workspace: workspace)).path)
        }
    }
}
