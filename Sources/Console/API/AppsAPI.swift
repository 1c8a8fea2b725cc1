import Apps
import Simulator
import Web

/// `GET /api/apps`: what the manifests say, broken ones included.
struct AppsAPI: Sendable {
    let services: Services
    let visitors: Visitors

    @Sendable func list(_ visit: Visit) async throws -> Response {
        let workspace = try visitors.workspace(of: visit)
        let device = try await visitors.device(of: visit, in: workspace)
        let visitor = device.map { Visitor(workspace: workspace, device: $0) }
        let entries = services.catalogue.entries()
        var items: [JSON] = []
        for entry in entries {
            switch entry {
            case .app(let app): items.append(try await json(app, for: visitor))
            case .broken(let id, let error): items.append(broken(id, error))
            }
        }
        return .json([
            "total": JSON(items.count), "totalIsWhole": true, "items": .array(items), "next": .null,
        ])
    }

    private func json(_ app: App, for visitor: Visitor?) async throws -> JSON {
        var current = app.backends[0].id
        if let visitor {
            current = try await services.simulator.situation(visitor.place(app.id)).backend
        }
        return [
            "id": .string(app.id),
            "name": .string(app.name),
            "spec": JSON(app.spec),
            "screens": .array(app.screens.map { screen(app, $0) }),
            "backends": .array(
                app.backends.map { backend in
                    [
                        "id": .string(backend.id),
                        "base": .string(base(backend, workspace: visitor?.workspace)),
                        "current": .bool(backend.id == current),
                    ]
                }), "problem": .null,
        ]
    }

    private func screen(_ app: App, _ screen: Screen) -> JSON {
        [
            "id": .string(screen.id), "kind": .string(screen.kind.rawValue),
            "path": .string(ScreenLinks(app: app.id).screen(screen.id)),
            "states": .array(app.states(of: screen).map(JSON.string)),
        ]
    }

    private func base(_ backend: Apps.Backend, workspace: String?) -> String {
        switch backend.base {
        case .url(let url): url
        case .embedded(let contract, let path):
            [services.backendBase, workspace ?? "main", contract, path].filter { !$0.isEmpty }
                .joined(separator: "/")
        }
    }

    private func broken(_ id: String, _ error: ManifestError) -> JSON {
        [
            "id": .string(id), "name": .string(id), "spec": .null, "screens": [], "backends": [],
            // Each mistake is a line.
            "problem": .string(error.all.map(\.sentence).joined(separator: "\n")),
        ]
    }
}
