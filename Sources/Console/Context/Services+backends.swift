import Apps
import Web

extension Services {
    /// The base URL of an app's backend from its manifest, so that paths can be shown relative to
    /// it; nil if there is no such backend.
    ///
    /// A custom base URL entered by the user is not known here; those paths are shown in full.
    func baseURL(ofBackend id: String, app: String, workspace: String) -> String? {
        appCatalog.app(app)?.backends.first { $0.id == id }?.baseURL(
            embeddedAt: backendBase, workspace: workspace)
    }

    /// The path prefixes of all apps' backend calls.
    func backendRootPaths(in workspace: String) -> [String] {
        appCatalog.apps.flatMap(\.backends).map {
            String(URLParts($0.baseURL(embeddedAt: backendBase, workspace: workspace)).path)
        }
    }
}
