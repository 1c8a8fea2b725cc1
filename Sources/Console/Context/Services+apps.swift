import Apps
import Templates
import Web

extension Services {
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
        for entry in appCatalog.entries() {
            guard case .broken(id, let error) = entry else { continue }
            return Problem(
                status: 503, code: "broken-manifest", title: "Manifest error in \(id)",
                detail: error.allErrors.map(\.summary).joined(separator: "\n"))
        }
        return .unknownApp(id)
    }
}

extension Services {
    /// The first valid app, for links to "the studio".
    var firstApp: String? { appCatalog.apps.first?.id }
}
