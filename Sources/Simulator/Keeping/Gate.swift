import Synchronization

/// Lets one change at a time through for each key, in the order they came.
final class Gate<Key: Hashable & Sendable>: Sendable {
    /// Keys somebody is in with, and who waits for them.
    private let waiting = Mutex<[Key: [CheckedContinuation<Void, Never>]]>([:])

    /// Waits for its turn; `leave` has to follow.
    func enter(_ key: Key) async {
        await withCheckedContinuation { turn in
            let isFree = waiting.withLock { waiting in
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

    func leave(_ key: Key) {
        let next = waiting.withLock { waiting in
            guard waiting[key]?.isEmpty == false else {
                waiting[key] = nil
                return nil as CheckedContinuation<Void, Never>?
            }
            return waiting[key]?.removeFirst()
        }
        next?.resume()
    }

    /// How many wait for their turn.
    func count(_ key: Key) -> Int { waiting.withLock { $0[key]?.count ?? 0 } }
}
