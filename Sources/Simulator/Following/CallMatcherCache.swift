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
