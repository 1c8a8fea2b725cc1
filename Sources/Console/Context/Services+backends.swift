import Apps
import Web

extension Services {
    /// The base URL of an app's backend from its manifest, so that paths can be shown relative to
    /// it; nil if there is no such backend.
    ///
    /// A custom base URL entered by the user is not known here; those paths are shown in full.
    func baseURL(ofBackend id: String, app: String, workspace: String) -> String? {
        let backend = appCatalog.app(app)?.backends.first { $0.id == id }
        return switch backend?.base {
        case .embedded(let contract, let path):
            "\(backendBase)/\(workspace)/\(contract)" + (path.isEmpty ? "" : "/\(path)")
        case .url(let url): url
        case nil: nil
        }
    }

    /// The path prefixes of all apps' backend calls.
    func backendRootPaths(in workspace: String) -> [String] {
        apps.flatMap { app in
            app.backends.compactMap { backend in
                baseURL(ofBackend: backend.id, app: app.id, workspace: workspace).map {
                    String(URLParts($0).path)
                }
            }
        }
    }

    /// The embedded contract of an app's backend; nil for an external one.
    func contract(ofBackend id: String, app: String) -> String? {
        let backend = appCatalog.app(app)?.backends.first { $0.id == id }
        guard case .embedded(let contract, _)? = backend?.base else { return nil }
        return contract
    }

    /// The app that uses an embedded contract; nil if none does.
    func app(withContract contract: String) -> App? {
        apps.first { $0.id == contract } ?? apps.first { self.contract(ofApp: $0.id) == contract }
    }
}
