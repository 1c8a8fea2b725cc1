import Synchronization

/// A dictionary with a capacity that keeps the most recently used values.
///
/// When the entries used since the last eviction fill half of it, all others are evicted: at least
/// the half used last stays, without a search for the oldest.
package struct LRUCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let capacity: Int
    /// The entries used since the last eviction, and the others.
    private var recent: [Key: Value] = [:]
    private var older: [Key: Value] = [:]

    package init(capacity: Int) { self.capacity = capacity }

    package var count: Int { recent.count + older.count }

    /// The value, marked as used.
    package mutating func value(for key: Key) -> Value? {
        if let value = recent[key] { return value }
        guard let value = older[key] else { return nil }
        if recent.count < capacity / 2 {
            older[key] = nil
            recent[key] = value
        }
        return value
    }

    /// Sets a value, or removes it if it is nil; may evict entries for which `canEvict` is true, or
    /// any if it is nil.
    package mutating func set(_ key: Key, _ value: Value?, canEvict: ((Key) -> Bool)? = nil) {
        older[key] = nil
        recent[key] = value
        guard recent.count >= capacity / 2 else { return }
        let kept = canEvict.map { canEvict in older.filter { !canEvict($0.key) } } ?? [:]
        older = recent
        for (key, value) in kept { older[key] = value }
        recent = [:]
    }

    package mutating func removeAll(where shouldRemove: (Key, Value) -> Bool) {
        // Few of many entries are removed, so the dictionaries are not rebuilt.
        for (key, _) in recent.filter({ shouldRemove($0.key, $0.value) }) { recent[key] = nil }
        for (key, _) in older.filter({ shouldRemove($0.key, $0.value) }) { older[key] = nil }
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

    /// Removes the value and returns it, so that one of several concurrent callers gets it.
    package func removeValue(for key: Key) -> Value? {
        entries.withLock { entries in
            defer { entries.set(key, nil) }
            return entries.value(for: key)
        }
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
