import Core
import Testing

@Suite(.timeLimit(.minutes(10))) struct CacheTests {
    @Test func `a full cache evicts the least recently used entries that it may evict`() {
        var cache = LRUCache<Int, String>(capacity: 8)
        for key in 0..<7 { cache.set(key, "\(key)") }
        _ = cache.value(for: 0)
        cache.set(7, "7") { $0 != 1 }
        cache.set(8, "8") { $0 != 1 }
        // The half used last stays, and 1, which must not be evicted.
        #expect([0, 1, 2, 3, 4, 8].map { cache.value(for: $0) } == ["0", "1", nil, nil, "4", "8"])
        cache.set(0, "zero")
        #expect(cache.value(for: 0) == "zero")
        for key in 9..<1_000 { cache.set(key, "\(key)") { _ in true } }
        #expect(cache.count <= 8)
        cache.removeAll { key, _ in key < 999 }
        #expect(cache.count == 1)
    }

    @Test func `a shared cache makes a value once and removes one that is set to nil`() {
        let cache = SharedCache<String, Int>(capacity: 8)
        #expect(cache.value(for: "a") { 1 } == 1)
        #expect(cache.value(for: "a") { 2 } == 1)
        cache["a"] = nil
        #expect(cache["a"] == nil)
        cache["b"] = 3
        #expect(cache.removeValue(for: "b") == 3)
        #expect(cache.removeValue(for: "b") == nil)
    }
}
