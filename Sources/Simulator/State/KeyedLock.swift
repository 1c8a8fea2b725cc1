import Synchronization

/// Lets one change at a time through for each key, in the order they came.
final class KeyedLock<Key: Hashable & Sendable>: Sendable {
    /// Keys somebody is in with, and who waits for them.
    private let waiters = Mutex<[Key: [CheckedContinuation<Void, Never>]]>([:])

    /// Waits for its turn; `leave` has to follow.
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

    /// How many wait for their turn.
    func waiterCount(_ key: Key) -> Int { waiters.withLock { $0[key]?.count ?? 0 } }
}
