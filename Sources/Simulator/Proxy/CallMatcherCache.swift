import Apps
import Synchronization
import Web

/// The call books in use, each made once for a manifest, a backend and what
/// was set there.
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

    /// Books kept at once.
    private static let maxEntries = 256

    func matcher(for context: ActionContext) -> CallMatcher {
        let backend = context.backend
        let own = context.persisted.customBackends[backend]
        let key = Key(workspace: context.device.workspace, app: context.app.id, backend: backend)
        let known = entries.withLock { $0[key] }
        if let known, known.app == context.app, known.customBackend == own { return known.matcher }
        var settings: [String: JSON] = [:]
        for setting in context.app.settings {
            settings[setting.name] = JSON(context.value(of: setting))
        }
        let book = CallMatcher(context.app, backend: backend, settings: Variables(settings))
        entries.withLock { books in
            if books.count >= Self.maxEntries { books = [:] }
            books[key] = Entry(app: context.app, customBackend: own, matcher: book)
        }
        return book
    }
}
