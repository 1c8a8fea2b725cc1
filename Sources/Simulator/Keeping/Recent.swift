/// A dictionary of at most so many values, those used last.
///
/// When full, the quarter that was unused for longest goes, so that a value
/// costs O(1) on average.
struct Recent<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    let bound: Int
    private var entries: [Key: Entry] = [:]
    private var tick: UInt64 = 0

    private struct Entry: Sendable {
        var value: Value
        var used: UInt64
    }

    init(bound: Int) { self.bound = bound }

    var count: Int { entries.count }

    /// The value, which counts as used now.
    mutating func use(_ key: Key) -> Value? {
        tick += 1
        let tick = tick
        // In place: taking the entry out would copy it twice.
        guard let index = entries.index(forKey: key) else { return nil }
        entries.values[index].used = tick
        return entries.values[index].value
    }

    /// Sets a value; some of those for which `mayGo` holds make room for it.
    mutating func set(_ key: Key, _ value: Value, mayGo: (Key) -> Bool = { _ in true }) {
        tick += 1
        if entries[key] == nil, entries.count >= bound { makeRoom(mayGo) }
        entries[key] = Entry(value: value, used: tick)
    }

    mutating func removeAll(where goes: (Key, Value) -> Bool) {
        // Few go of many, which are not built anew for them.
        for (key, _) in entries.filter({ goes($0.key, $0.value.value) }) { entries[key] = nil }
    }

    private mutating func makeRoom(_ mayGo: (Key) -> Bool) {
        let oldest = entries.filter { mayGo($0.key) }.map { ($0.value.used, $0.key) }.sorted {
            $0.0 < $1.0
        }.prefix(max(1, bound / 4))
        for (_, key) in oldest { entries[key] = nil }
    }
}
