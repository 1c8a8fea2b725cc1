/// The valid apps and the embedded contracts they use.
extension AppCatalog {
    /// Every valid app, in order.
    package var apps: [App] {
        entries().compactMap { entry in
            if case .app(let app) = entry { app } else { nil }
        }
    }

    /// The first embedded contract an app uses; nil if it uses none.
    package func contract(ofApp id: String) -> String? {
        app(id)?.backends.lazy.compactMap(\.contract).first
    }

    /// The embedded contract of an app's backend; nil for an external one.
    package func contract(ofBackend id: String, app: String) -> String? {
        self.app(app)?.backends.first { $0.id == id }?.contract
    }

    /// The app that uses an embedded contract; nil if none does.
    package func app(withContract contract: String) -> App? {
        apps.first { $0.id == contract } ?? apps.first { self.contract(ofApp: $0.id) == contract }
    }
}
