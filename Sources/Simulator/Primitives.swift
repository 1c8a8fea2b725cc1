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

/// A dictionary with a capacity that keeps the most recently used values.
///
/// When full, it evicts the least recently used quarter, so that an insertion costs O(1) on
/// average.
struct LRUCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    let capacity: Int
    private var entries: [Key: Entry] = [:]
    private var useCounter: UInt64 = 0

    private struct Entry: Sendable {
        var value: Value
        var lastUse: UInt64
    }

    init(capacity: Int) { self.capacity = capacity }

    var count: Int { entries.count }

    /// The value, marked as used.
    mutating func value(for key: Key) -> Value? {
        useCounter += 1
        let tick = useCounter
        // Updated in place: removing the entry would copy it twice.
        guard let index = entries.index(forKey: key) else { return nil }
        entries.values[index].lastUse = tick
        return entries.values[index].value
    }

    /// Sets a value; may evict entries for which `canEvict` is true.
    mutating func set(_ key: Key, _ value: Value, canEvict: (Key) -> Bool = { _ in true }) {
        useCounter += 1
        if entries[key] == nil, entries.count >= capacity { evict(canEvict) }
        entries[key] = Entry(value: value, lastUse: useCounter)
    }

    mutating func removeAll(where shouldRemove: (Key, Value) -> Bool) {
        // Few of many entries are removed, so the dictionary is not rebuilt.
        for (key, _) in entries.filter({ shouldRemove($0.key, $0.value.value) }) {
            entries[key] = nil
        }
    }

    private mutating func evict(_ canEvict: (Key) -> Bool) {
        let oldest = entries.filter { canEvict($0.key) }.map { ($0.value.lastUse, $0.key) }.sorted {
            $0.0 < $1.0
        }.prefix(max(1, capacity / 4))
        for (_, key) in oldest { entries[key] = nil }
    }
}
