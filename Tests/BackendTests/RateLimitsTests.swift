import Testing

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct RateLimitsTests {
    private let limit = RateLimit(name: "knocks", count: 2, window: .seconds(10))
    private let realm = Realm(workspace: "main", contract: "door")

    private func moment(_ seconds: Int64) -> Timestamp { Timestamp(milliseconds: seconds * 1_000) }

    @Test func `it says when the next is free, and the window slides`() {
        let limits = RateLimits()
        func take(_ second: Int64) -> Int64? {
            limits.consume(limit, of: "ada", in: realm, at: moment(second))?.seconds
        }
        #expect(take(0) == nil)
        #expect(take(4) == nil)
        #expect(take(5) == 10)
        #expect(take(9) == 10)
        #expect(take(10) == nil)
        #expect(take(11) == 14)
        #expect(take(14) == nil)
    }

    @Test func `looking counts nothing`() {
        let limits = RateLimits()
        for _ in 0..<5 {
            #expect(limits.nextAllowedAt(limit, of: "ada", in: realm, at: moment(0)) == nil)
        }
        #expect(limits.consume(limit, of: "ada", in: realm, at: moment(0)) == nil)
    }

    @Test func `of ten thousand subjects nobody's count grows for ever`() {
        let limits = RateLimits()
        for number in 0..<25_000 {
            _ = limits.consume(limit, of: "s\(number)", in: realm, at: moment(Int64(number)))
        }
        #expect(limits.subjectCount <= 10_000)
        // The newest is remembered.
        let now = moment(24_999)
        #expect(limits.consume(limit, of: "s24999", in: realm, at: now) == nil)
        #expect(limits.consume(limit, of: "s24999", in: realm, at: now) != nil)
    }

    @Test func `nobody is pushed out of another realm`() {
        let limits = RateLimits()
        for _ in 0..<2 { _ = limits.consume(limit, of: "ada", in: realm, at: moment(0)) }
        for place in [
            Realm(workspace: "other", contract: "door"), Realm(workspace: "main", contract: "gate"),
        ] {
            for number in 0..<12_000 {
                _ = limits.consume(limit, of: "s\(number)", in: place, at: moment(1))
            }
        }
        #expect(limits.consume(limit, of: "ada", in: realm, at: moment(2)) != nil)
        #expect(limits.subjectCount <= 20_001)
    }

    @Test func `a crowd of one moment does not empty the table`() {
        let limits = RateLimits()
        for number in 0..<10_001 {
            _ = limits.consume(limit, of: "s\(number)", in: realm, at: moment(0))
        }
        #expect(limits.subjectCount > 4_000)
    }

    @Test func `another workspace keeps its counts`() {
        let limits = RateLimits()
        let other = Realm(workspace: "other", contract: "door")
        for place in [realm, other] {
            for _ in 0..<2 { _ = limits.consume(limit, of: "ada", in: place, at: moment(0)) }
        }
        limits.clear(workspace: "main")
        #expect(limits.consume(limit, of: "ada", in: realm, at: moment(1)) == nil)
        #expect(limits.consume(limit, of: "ada", in: other, at: moment(1)) != nil)
    }
}
