import Synchronization

/// Remembers which mails were opened, so that the list can mark the others.
///
/// Not worth persisting: a restart clears it.
final class OpenedMailIDs: Sendable {
    private let ids = Mutex<Set<String>>([])

    /// The maximum number of ids; reaching it clears all.
    private static let capacity = 10_000

    func insert(_ id: String) {
        ids.withLock { ids in
            if ids.count >= Self.capacity { ids = [] }
            ids.insert(id)
        }
    }

    func contains(_ id: String) -> Bool { ids.withLock { $0.contains(id) } }
}
