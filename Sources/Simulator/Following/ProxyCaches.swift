import Apps
import Synchronization
import Web

/// Caches call matchers, one per workspace, app and backend, as long as manifest and custom backend
/// are unchanged.
final class CallMatcherCache: Sendable {
    /// By workspace, app and backend.
    private let entries = Mutex(LRUCache<[String], Entry>(capacity: 256))

    private struct Entry {
        var app: App
        var customBackend: PersistedAppState.CustomBackend?
        var matcher: CallMatcher
    }

    func matcher(for context: ActionContext) -> CallMatcher {
        let backend = context.backend
        let customBackend = context.persisted.customBackends[backend]
        let key = [context.device.workspace, context.app.id, backend]
        if let cached = entries.withLock({ $0.value(for: key) }), cached.app == context.app,
            cached.customBackend == customBackend
        {
            return cached.matcher
        }
        var settings: [String: JSON] = [:]
        for setting in context.app.settings {
            settings[setting.name] = JSON(context.value(of: setting))
        }
        let matcher = CallMatcher(context.app, backend: backend, settings: Variables(settings))
        let entry = Entry(app: context.app, customBackend: customBackend, matcher: matcher)
        entries.withLock { $0.set(key, entry) }
        return matcher
    }
}

/// Identifies the client apps that use the proxy by the name in their `User-Agent`.
///
/// The number of clients per app is limited; otherwise a client that changes its name with each
/// request would fill the list of devices.
final class ClientDevices: Sendable {
    private let clientNames = Mutex<[String: Set<String>]>([:])

    /// Clients of one app in one workspace with a device of their own.
    private static let maxClientsPerApp = 16

    /// Apps with clients; when reached, all are cleared.
    private static let maxApps = 1_000

    /// Returns the client's name, or an empty one if there are too many clients.
    func register(_ client: String, _ appKey: String) -> String {
        clientNames.withLock { names in
            if names[appKey]?.contains(client) == true { return client }
            guard names[appKey, default: []].count < Self.maxClientsPerApp else { return "" }
            if names.count >= Self.maxApps { names = [:] }
            names[appKey, default: []].insert(client)
            return client
        }
    }
}
