import Synchronization

/// Does a thing once for all who ask for it while it is under way.
///
/// The work is a task of its own: whoever asked may go away.
final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// Things under way, and who waits for each.
    private let waiters = Mutex<[Key: [CheckedContinuation<Value, Never>]]>([:])

    /// The result of `work`, or of the one already under way for `key`.
    func run(_ key: Key, _ work: @escaping @Sendable () async -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            let isFirst = waiters.withLock { waiting in
                let isFirst = waiting[key] == nil
                waiting[key, default: []].append(continuation)
                return isFirst
            }
            guard isFirst else { return }
            // On this thread until it waits for something: most are on their
            // way to a backend soon.
            Task.immediate {
                let value = await work()
                let all = waiters.withLock { $0.removeValue(forKey: key) }
                for continuation in all ?? [] { continuation.resume(returning: value) }
            }
        }
    }

    /// How many wait for `key`, whoever started it among them.
    func waiterCount(_ key: Key) -> Int { waiters.withLock { $0[key]?.count ?? 0 } }
}
