import Synchronization

/// A mutual exclusion lock per key, in the order of the callers.
final class KeyedLock<Key: Hashable & Sendable>: Sendable {
    /// Locked keys, with the callers waiting for each.
    private let waiters = Mutex<[Key: [CheckedContinuation<Void, Never>]]>([:])

    /// Waits for the lock; `unlock` must follow.
    func lock(_ key: Key) async {
        await withCheckedContinuation { turn in
            let isFree = waiters.withLock { waiting in
                guard waiting[key] == nil else {
                    waiting[key]?.append(turn)
                    return false
                }
                waiting[key] = []
                return true
            }
            if isFree { turn.resume() }
        }
    }

    func unlock(_ key: Key) {
        let next = waiters.withLock { waiting in
            guard waiting[key]?.isEmpty == false else {
                waiting[key] = nil
                return nil as CheckedContinuation<Void, Never>?
            }
            return waiting[key]?.removeFirst()
        }
        next?.resume()
    }

    /// Number of callers that wait for the key.
    func waiterCount(_ key: Key) -> Int { waiters.withLock { $0[key]?.count ?? 0 } }
}
