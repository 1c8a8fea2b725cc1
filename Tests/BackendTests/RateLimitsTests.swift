import Testing

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct RateLimitsTests {
    private let limit = RateLimit(name: "knocks", count: 2, window: .seconds(10))
    private let realm = Realm(workspace: "main", contract: "door")

    /// A limit that one occurrence reaches, so that every tracked subject is held back.
    private let single = RateLimit(name: "rings", count: 1, window: .seconds(100_000))

    /// How many of the subjects `s0`, `s1` … are tracked.
    private func trackedCount(_ limits: RateLimits, of count: Int, in realm: Realm, at now: Int64)
        -> Int
    {
        (0..<count).count { number in
            limits.nextAllowedAt(single, of: "s\(number)", in: realm, at: timestamp(now)) != nil
        }
    }

    private func timestamp(_ seconds: Int64) -> Timestamp {
        Timestamp(milliseconds: seconds * 1_000)
    }

    @Test func `consuming returns when the next is allowed, and the window slides`() {
        let limits = RateLimits()
        func consume(_ second: Int64) -> Int64? {
            limits.consume(limit, of: "ada", in: realm, at: timestamp(second))?.seconds
        }
        #expect(consume(0) == nil)
        #expect(consume(4) == nil)
        #expect(consume(5) == 10)
        #expect(consume(9) == 10)
        #expect(consume(10) == nil)
        #expect(consume(11) == 14)
        #expect(consume(14) == nil)
    }

    @Test func `a bucket allows its burst, then one per interval, and fills up again`() {
        let bucket = RateLimit(name: "knocks", count: 5, window: .seconds(10), burst: 3)
        let limits = RateLimits()
        func consume(_ second: Int64) -> Int64? {
            limits.consume(bucket, of: "ada", in: realm, at: timestamp(second))?.seconds
        }
        #expect((0..<4).map { _ in consume(0) } == [nil, nil, nil, 2])
        #expect([consume(2), consume(3)] == [nil, 4])
        #expect((0..<4).map { _ in consume(100) } == [nil, nil, nil, 102])
        // The clock was set back.
        #expect(consume(50) == nil)
    }

    @Test func `reading when the next is allowed counts nothing`() {
        let limits = RateLimits()
        for _ in 0..<5 {
            #expect(limits.nextAllowedAt(limit, of: "ada", in: realm, at: timestamp(0)) == nil)
        }
        #expect(limits.consume(limit, of: "ada", in: realm, at: timestamp(0)) == nil)
    }

    @Test func `a realm tracks at most ten thousand subjects, the newest included`() {
        let limits = RateLimits()
        for number in 0..<25_000 {
            _ = limits.consume(single, of: "s\(number)", in: realm, at: timestamp(Int64(number)))
        }
        #expect(trackedCount(limits, of: 25_000, in: realm, at: 24_999) <= 10_000)
        let now = timestamp(24_999)
        #expect(limits.nextAllowedAt(single, of: "s24999", in: realm, at: now) != nil)
    }

    @Test func `many subjects evict none of another realm`() {
        let limits = RateLimits()
        for _ in 0..<2 { _ = limits.consume(limit, of: "ada", in: realm, at: timestamp(0)) }
        for otherRealm in [
            Realm(workspace: "other", contract: "door"), Realm(workspace: "main", contract: "gate"),
        ] {
            for number in 0..<12_000 {
                _ = limits.consume(single, of: "s\(number)", in: otherRealm, at: timestamp(1))
            }
            #expect(trackedCount(limits, of: 12_000, in: otherRealm, at: 1) <= 10_000)
        }
        #expect(limits.consume(limit, of: "ada", in: realm, at: timestamp(2)) != nil)
    }

    @Test func `subjects of the same timestamp are not all evicted`() {
        let limits = RateLimits()
        for number in 0..<10_001 {
            _ = limits.consume(single, of: "s\(number)", in: realm, at: timestamp(0))
        }
        #expect(trackedCount(limits, of: 10_001, in: realm, at: 0) > 4_000)
    }

    @Test func `clearing a workspace retains the counts of others`() {
        let limits = RateLimits()
        let other = Realm(workspace: "other", contract: "door")
        for eachRealm in [realm, other] {
            for _ in 0..<2 { _ = limits.consume(limit, of: "ada", in: eachRealm, at: timestamp(0)) }
        }
        limits.clear(workspace: "main")
        #expect(limits.consume(limit, of: "ada", in: realm, at: timestamp(1)) == nil)
        #expect(limits.consume(limit, of: "ada", in: other, at: timestamp(1)) != nil)
    }
}
