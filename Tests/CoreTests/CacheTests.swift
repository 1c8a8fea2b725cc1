import Core
import Testing

@Suite(.timeLimit(.minutes(10))) struct CacheTests {
    @Test func `a full cache evicts the least recently used entries that it may evict`() {
        var cache = LRUCache<Int, String>(capacity: 8)
        for key in 0..<8 { cache.set(key, "\(key)") }
        _ = cache.value(for: 0)
        cache.set(8, "8") { $0 != 1 }
        // A quarter is evicted: 2 and 3, because 0 was used and 1 must not be evicted.
        #expect(cache.count == 7)
        #expect(cache.value(for: 0) == "0")
        #expect(cache.value(for: 1) == "1")
        #expect(cache.value(for: 2) == nil)
        #expect(cache.value(for: 3) == nil)
        #expect(cache.value(for: 4) == "4")
        cache.set(0, "zero")
        #expect(cache.value(for: 0) == "zero")
        cache.removeAll { key, _ in key > 4 }
        #expect(cache.count == 3)
    }

    @Test func `a shared cache makes a value once and removes one that is set to nil`() {
        let cache = SharedCache<String, Int>(capacity: 8)
        #expect(cache.value(for: "a") { 1 } == 1)
        #expect(cache.value(for: "a") { 2 } == 1)
        cache["a"] = nil
        #expect(cache["a"] == nil)
    }
}
