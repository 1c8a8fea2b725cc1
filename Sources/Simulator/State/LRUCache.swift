/// A dictionary of at most so many values, those used last.
///
/// When full, the quarter that was unused for longest goes, so that a value
/// costs O(1) on average.
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

    /// The value, which counts as used now.
    mutating func value(for key: Key) -> Value? {
        useCounter += 1
        let tick = useCounter
        // In place: taking the entry out would copy it twice.
        guard let index = entries.index(forKey: key) else { return nil }
        entries.values[index].lastUse = tick
        return entries.values[index].value
    }

    /// Sets a value; some of those for which `mayGo` holds make room for it.
    mutating func set(_ key: Key, _ value: Value, canEvict: (Key) -> Bool = { _ in true }) {
        useCounter += 1
        if entries[key] == nil, entries.count >= capacity { evict(canEvict) }
        entries[key] = Entry(value: value, lastUse: useCounter)
    }

    mutating func removeAll(where goes: (Key, Value) -> Bool) {
        // Few go of many, which are not built anew for them.
        for (key, _) in entries.filter({ goes($0.key, $0.value.value) }) { entries[key] = nil }
    }

    private mutating func evict(_ mayGo: (Key) -> Bool) {
        let oldest = entries.filter { mayGo($0.key) }.map { ($0.value.lastUse, $0.key) }.sorted {
            $0.0 < $1.0
        }.prefix(max(1, capacity / 4))
        for (_, key) in oldest { entries[key] = nil }
    }
}
