import Synchronization

/// Runs an operation once for concurrent callers of the same key.
///
/// The work is its own task: a canceled caller does not end it.
final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// The callers waiting for each running operation.
    private let waiters = Mutex<[Key: [CheckedContinuation<Value, Never>]]>([:])

    /// The result of `work`, or of the running operation of `key`.
    func run(_ key: Key, _ work: @escaping @Sendable () async -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            let isFirst = waiters.withLock { waiting in
                let isFirst = waiting[key] == nil
                waiting[key, default: []].append(continuation)
                return isFirst
            }
            guard isFirst else { return }
            // Starts on this thread and stays there until the first suspension: most work soon
            // sends a request.
            Task.immediate {
                let value = await work()
                let all = waiters.withLock { $0.removeValue(forKey: key) }
                for continuation in all ?? [] { continuation.resume(returning: value) }
            }
        }
    }

    /// Number of callers that wait for `key`, including the first.
    func waiterCount(_ key: Key) -> Int { waiters.withLock { $0[key]?.count ?? 0 } }
}
