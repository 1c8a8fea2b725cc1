import Apps
import Templates
import Web

extension Services {
    /// The app an address names; a 404 or 503 that says why it is none.
    func app(of visit: Visit) throws(Problem) -> App { try app(visit.parameters["app"] ?? "") }

    /// The app that is called `id`, likewise.
    func app(_ id: String) throws(Problem) -> App {
        guard let app = catalogue.app(id) else { throw problem(ofApp: id) }
        return app
    }

    /// `routes` that show the manifests and templates as they lie on the disk
    /// when asked: what was saved is there at the next reload, and be it at
    /// once.
    func upToDate(_ routes: [Route]) -> [Route] {
        routes.map { route in
            route.answered { visit in
                catalogue.lookAgain()
                templates.lookAgain()
                return try await route.handler(visit)
            }
        }
    }

    /// Why `id` is no app that runs: unknown, or its manifest is broken.
    func problem(ofApp id: String) -> Problem {
        for entry in catalogue.entries() {
            guard case .broken(id, let error) = entry else { continue }
            return Problem(
                status: 503, code: "broken-manifest", title: "The manifest of \(id) has a mistake",
                detail: error.all.map(\.sentence).joined(separator: "\n"))
        }
        return .unknownApp(id)
    }
}

extension Services {
    /// The first app that runs, for links to "the studio".
    var firstApp: String? { apps.first?.id }

    /// Every app that runs, in order.
    var apps: [App] {
        catalogue.entries().compactMap { entry in if case .app(let app) = entry { app } else { nil }
        }
    }
}

extension Services {
    /// The embedded contract an app speaks, nil if it has none.
    func contract(ofApp id: String) -> String? {
        for backend in catalogue.app(id)?.backends ?? [] {
            if case .embedded(let contract, _) = backend.base { return contract }
        }
        return nil
    }
}
