import Apps
import Synchronization
import Web

/// Caches call matchers, one per workspace, app and backend, as long as manifest and custom backend
/// are unchanged.
final class CallMatcherCache: Sendable {
    private let entries = Mutex<[Key: Entry]>([:])

    private struct Key: Hashable {
        var workspace: String
        var app: String
        var backend: String
    }

    private struct Entry {
        var app: App
        var customBackend: PersistedAppState.CustomBackend?
        var matcher: CallMatcher
    }

    /// When reached, the cache is cleared.
    private static let maxEntries = 256

    func matcher(for context: ActionContext) -> CallMatcher {
        let backend = context.backend
        let customBackend = context.persisted.customBackends[backend]
        let key = Key(workspace: context.device.workspace, app: context.app.id, backend: backend)
        let cached = entries.withLock { $0[key] }
        if let cached, cached.app == context.app, cached.customBackend == customBackend {
            return cached.matcher
        }
        var settings: [String: JSON] = [:]
        for setting in context.app.settings {
            settings[setting.name] = JSON(context.value(of: setting))
        }
        let matcher = CallMatcher(context.app, backend: backend, settings: Variables(settings))
        entries.withLock { cache in
            if cache.count >= Self.maxEntries { cache = [:] }
            cache[key] = Entry(app: context.app, customBackend: customBackend, matcher: matcher)
        }
        return matcher
    }
}

/// Identifies the client apps that use the proxy by the name in their `User-Agent`.
///
/// The number of clients per app is limited; otherwise a client that changes its name with each
/// request would fill the list of devices.
final class ClientDevices: Sendable {
    private let state = Mutex(State())

    private struct State {
        var clientNames: [String: Set<String>] = [:]
        var deviceIDs: [String: String] = [:]
    }

    /// Clients of one app in one workspace with a device of their own.
    private static let maxClientsPerApp = 16

    /// Cached apps and device ids; when reached, the cache is cleared.
    private static let maxEntries = 1_000

    /// Returns the client's name, or an empty one if there are too many clients.
    func register(_ client: String, _ appKey: String) -> String {
        state.withLock { state in
            if state.clientNames[appKey]?.contains(client) == true { return client }
            guard state.clientNames[appKey, default: []].count < Self.maxClientsPerApp else {
                return ""
            }
            if state.clientNames.count >= Self.maxEntries { state.clientNames = [:] }
            state.clientNames[appKey, default: []].insert(client)
            return client
        }
    }

    /// Returns the result of `make` for `text`, cached.
    func deviceID(_ text: String, _ make: () -> String) -> String {
        if let id = state.withLock({ $0.deviceIDs[text] }) { return id }
        let id = make()
        state.withLock { state in
            if state.deviceIDs.count >= Self.maxEntries { state.deviceIDs = [:] }
            state.deviceIDs[text] = id
        }
        return id
    }
}
