import Synchronization

/// A dictionary with a capacity that keeps the most recently used values.
///
/// When full, it evicts the least recently used quarter, so that an insertion costs O(1) on
/// average.
package struct LRUCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let capacity: Int
    private var entries: [Key: Entry] = [:]
    private var useCounter: UInt64 = 0

    private struct Entry: Sendable {
        var value: Value
        var lastUse: UInt64
    }

    package init(capacity: Int) { self.capacity = capacity }

    package var count: Int { entries.count }

    /// The value, marked as used.
    package mutating func value(for key: Key) -> Value? {
        useCounter += 1
        let tick = useCounter
        // Updated in place: removing the entry would copy it twice.
        guard let index = entries.index(forKey: key) else { return nil }
        entries.values[index].lastUse = tick
        return entries.values[index].value
    }

    /// Sets a value, or removes it if it is nil; may evict entries for which `canEvict` is true.
    package mutating func set(
        _ key: Key, _ value: Value?, canEvict: (Key) -> Bool = { _ in true }
    ) {
        useCounter += 1
        if value != nil, entries[key] == nil, entries.count >= capacity { evict(canEvict) }
        entries[key] = value.map { Entry(value: $0, lastUse: useCounter) }
    }

    package mutating func removeAll(where shouldRemove: (Key, Value) -> Bool) {
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

/// An `LRUCache` for concurrent use.
package final class SharedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let entries: Mutex<LRUCache<Key, Value>>

    package init(capacity: Int) { entries = Mutex(LRUCache(capacity: capacity)) }

    /// The value, marked as used.
    package subscript(key: Key) -> Value? {
        get { entries.withLock { $0.value(for: key) } }
        set { entries.withLock { $0.set(key, newValue) } }
    }

    /// The value; without one, the result of `make`, which is cached. Concurrent callers may each
    /// make it.
    package func value<Failure>(for key: Key, make: () throws(Failure) -> Value) throws(Failure)
        -> Value
    {
        if let value = self[key] { return value }
        let value = try make()
        self[key] = value
        return value
    }
}
