import Apps
import Web

extension Services {
    /// The base URL of an app's backend as its manifest tells it, so that
    /// paths can be shown below it; nil for one that is not there.
    ///
    /// A base that a user typed is not known here; paths then stand whole.
    func baseURL(ofBackend id: String, app: String, workspace: String) -> String? {
        let backend = appCatalog.app(app)?.backends.first { $0.id == id }
        return switch backend?.base {
        case .embedded(let contract, let path):
            "\(backendBase)/\(workspace)/\(contract)" + (path.isEmpty ? "" : "/\(path)")
        case .url(let url): url
        case nil: nil
        }
    }

    /// The paths below which the calls of all apps' backends lie.
    func backendRootPaths(in workspace: String) -> [String] {
        apps.flatMap { app in
            app.backends.compactMap { backend in
                baseURL(ofBackend: backend.id, app: app.id, workspace: workspace).map {
                    String(URLParts($0).path)
                }
            }
        }
    }

    /// The embedded contract an app's backend speaks; nil for one elsewhere.
    func contract(ofBackend id: String, app: String) -> String? {
        let backend = appCatalog.app(app)?.backends.first { $0.id == id }
        guard case .embedded(let contract, _)? = backend?.base else { return nil }
        return contract
    }

    /// The app that speaks an embedded contract, nil if none does.
    func app(withContract contract: String) -> App? {
        apps.first { $0.id == contract } ?? apps.first { self.contract(ofApp: $0.id) == contract }
    }
}
