import Apps
import Synchronization
import Web

/// The call books in use, each made once for a manifest, a backend and what
/// was set there.
final class CallBooks: Sendable {
    private let books = Mutex<[Key: Entry]>([:])

    private struct Key: Hashable {
        var workspace: String
        var app: String
        var backend: String
    }

    private struct Entry {
        var app: App
        var own: Kept.OwnBackend?
        var book: CallBook
    }

    /// Books kept at once.
    private static let bound = 256

    func book(_ facts: Facts) -> CallBook {
        let backend = facts.backend
        let own = facts.kept.own[backend]
        let key = Key(workspace: facts.device.workspace, app: facts.app.id, backend: backend)
        let known = books.withLock { $0[key] }
        if let known, known.app == facts.app, known.own == own { return known.book }
        var settings: [String: JSON] = [:]
        for setting in facts.app.settings {
            settings[setting.name] = JSON(facts.value(of: setting))
        }
        let book = CallBook(facts.app, backend: backend, settings: Variables(settings))
        books.withLock { books in
            if books.count >= Self.bound { books = [:] }
            books[key] = Entry(app: facts.app, own: own, book: book)
        }
        return book
    }
}
