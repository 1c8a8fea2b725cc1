import Synchronization

/// Remembers which mails somebody opened, so that the list can mark the rest.
///
/// It is a courtesy, not a fact worth keeping: a restart forgets it.
final class OpenedMail: Sendable {
    private let ids = Mutex<Set<String>>([])

    /// Ids remembered at once; then all are forgotten.
    private static let bound = 10_000

    func note(_ id: String) {
        ids.withLock { ids in
            if ids.count >= Self.bound { ids = [] }
            ids.insert(id)
        }
    }

    func contains(_ id: String) -> Bool { ids.withLock { $0.contains(id) } }
}
