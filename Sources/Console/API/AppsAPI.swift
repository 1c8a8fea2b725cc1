import Apps
import Simulator
import Web

/// `GET /api/apps`: the apps' manifests, including those with errors.
struct AppsAPI: Sendable {
    let services: Services
    let scopeResolver: ScopeResolver

    @Sendable func list(_ context: RequestContext) async throws -> Response {
        let workspace = try scopeResolver.workspace(of: context)
        let device = try await scopeResolver.device(of: context, in: workspace)
        let scope = device.map { RequestScope(workspace: workspace, device: $0) }
        let entries = services.appCatalog.entries()
        var items: [JSON] = []
        for entry in entries {
            switch entry {
            case .app(let app): items.append(try await json(app, for: scope))
            case .broken(let id, let error): items.append(brokenAppJSON(id, error))
            }
        }
        return .json([
            "total": JSON(items.count), "totalIsExact": true, "items": .array(items), "next": .null,
        ])
    }

    private func json(_ app: App, for scope: RequestScope?) async throws -> JSON {
        var current = app.backends[0].id
        if let scope {
            current = try await services.simulator.status(scope.instance(app.id)).backend
        }
        return [
            "id": .string(app.id),
            "name": .string(app.name),
            "spec": JSON(app.spec),
            "screens": .array(app.screens.map { screenJSON(app, $0) }),
            "backends": .array(
                app.backends.map { backend in
                    [
                        "id": .string(backend.id),
                        "base": .string(baseURL(backend, workspace: scope?.workspace)),
                        "current": .bool(backend.id == current),
                    ]
                }), "problem": .null,
        ]
    }

    private func screenJSON(_ app: App, _ screen: Screen) -> JSON {
        [
            "id": .string(screen.id), "kind": .string(screen.kind.rawValue),
            "path": .string(ScreenLinks(app: app.id).screenURL(screen.id)),
            "states": .array(app.states(of: screen).map(JSON.string)),
        ]
    }

    private func baseURL(_ backend: Apps.AppBackend, workspace: String?) -> String {
        switch backend.base {
        case .url(let url): url
        case .embedded(let contract, let path):
            [services.backendBase, workspace ?? "main", contract, path].filter { !$0.isEmpty }
                .joined(separator: "/")
        }
    }

    private func brokenAppJSON(_ id: String, _ error: ManifestError) -> JSON {
        [
            "id": .string(id), "name": .string(id), "spec": .null, "screens": [], "backends": [],
            // One error per line.
            "problem": .string(error.allErrors.map(\.summary).joined(separator: "\n")),
        ]
    }
}
