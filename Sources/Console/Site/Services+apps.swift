import Apps
import Templates
import Web

extension Services {
    /// The app an address names; a 404 or 503 that says why it is none.
    func app(of context: RequestContext) throws(Problem) -> App {
        try app(context.parameters["app"] ?? "")
    }

    /// The app that is called `id`, likewise.
    func app(_ id: String) throws(Problem) -> App {
        guard let app = appCatalog.app(id) else { throw problem(ofApp: id) }
        return app
    }

    /// `routes` that show the manifests and templates as they lie on the disk
    /// when asked: what was saved is there at the next reload, and be it at
    /// once.
    func reloadingManifests(_ routes: [Route]) -> [Route] {
        routes.map { route in
            route.replacingHandler { context in
                appCatalog.rescan()
                templates.rescan()
                return try await route.handler(context)
            }
        }
    }

    /// Why `id` is no app that runs: unknown, or its manifest is broken.
    func problem(ofApp id: String) -> Problem {
        for entry in appCatalog.entries() {
            guard case .broken(id, let error) = entry else { continue }
            return Problem(
                status: 503, code: "broken-manifest", title: "The manifest of \(id) has a mistake",
                detail: error.allErrors.map(\.summary).joined(separator: "\n"))
        }
        return .unknownApp(id)
    }
}

extension Services {
    /// The first app that runs, for links to "the studio".
    var firstApp: String? { apps.first?.id }

    /// Every app that runs, in order.
    var apps: [App] {
        appCatalog.entries().compactMap { entry in
            if case .app(let app) = entry { app } else { nil }
        }
    }
}

extension Services {
    /// The embedded contract an app speaks, nil if it has none.
    func contract(ofApp id: String) -> String? {
        for backend in appCatalog.app(id)?.backends ?? [] {
            if case .embedded(let contract, _) = backend.base { return contract }
        }
        return nil
    }
}
