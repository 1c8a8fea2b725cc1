import Synchronization

/// Remembers which mails somebody opened, so that the list can mark the rest.
///
/// It is a courtesy, not a fact worth keeping: a restart forgets it.
final class OpenedMailIDs: Sendable {
    private let ids = Mutex<Set<String>>([])

    /// Ids remembered at once; then all are forgotten.
    private static let capacity = 10_000

    func insert(_ id: String) {
        ids.withLock { ids in
            if ids.count >= Self.capacity { ids = [] }
            ids.insert(id)
        }
    }

    func contains(_ id: String) -> Bool { ids.withLock { $0.contains(id) } }
}
