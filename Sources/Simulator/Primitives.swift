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

/// Runs an operation once for concurrent callers of the same key.
///
/// The work is its own task: a canceled caller does not end it.
package final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// The callers waiting for each running operation.
    private let waiters = Mutex<[Key: [CheckedContinuation<Value, any Error>]]>([:])

    package init() {}

    /// The result of `work`, or of the running operation of `key`.
    package func run(_ key: Key, _ work: @escaping @Sendable () async throws -> Value)
        async throws -> Value
    {
        try await withCheckedThrowingContinuation { continuation in
            let isFirst = waiters.withLock { waiting in
                let isFirst = waiting[key] == nil
                waiting[key, default: []].append(continuation)
                return isFirst
            }
            guard isFirst else { return }
            // Starts on this thread and stays there until the first suspension: most work soon
            // sends a request.
            Task.immediate {
                let result: Result<Value, any Error>
                do { result = .success(try await work()) } catch { result = .failure(error) }
                let all = waiters.withLock { $0.removeValue(forKey: key) }
                for continuation in all ?? [] { continuation.resume(with: result) }
            }
        }
    }

    /// Number of callers that wait for `key`, including the first.
    func waiterCount(_ key: Key) -> Int { waiters.withLock { $0[key]?.count ?? 0 } }
}
