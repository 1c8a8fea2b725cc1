import Support
import Surroundings
import Testing
import Web

@testable import Traffic

/// Which condition strikes whom, and how often.
@Suite(.timeLimit(.minutes(10))) struct ConditionsTests {
    @Test func `offline for 3 calls is over with the fourth`() async throws {
        let house = try await TroubleHouse()
        try await house.add(.init(.offline, times: 3))
        for number in 1...3 {
            let (got, kept) = try await house.call()
            #expect(got.failure == .nameLookup)
            #expect(kept.exchange.condition == "offline, \(number) of 3")
        }
        let (got, kept) = try await house.call()
        #expect(got.status == 200)
        #expect(kept.exchange.condition == nil)
        #expect(house.sent.all.count == 1)
        #expect(house.conditions.list(in: "main").isEmpty)
    }

    @Test func `sixteen calls at once share 3 strikes between them`() async throws {
        let house = try await TroubleHouse()
        try await house.add(.init(.reset, times: 3))
        let failed = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 1...16 { group.addTask { try await house.call().got.failure != nil } }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(failed == 3)
        #expect(house.sent.all.count == 13)
        let struck = house.hub.events(in: "main").filter { $0.kind == .conditionApplied }
        #expect(
            Set(struck.map(\.title)) == [
                "connection reset, 1 of 3", "connection reset, 2 of 3", "connection reset, 3 of 3",
            ])
    }

    @Test func `of two of a kind the older strikes until it is used up`() async throws {
        let house = try await TroubleHouse()
        try await house.add(
            .init(.status, times: 1, status: 500), .init(.status, times: 1, status: 503))
        #expect(try await house.call().got.status == 500)
        #expect(try await house.call().got.status == 503)
        #expect(try await house.call().got.status == 200)
    }

    @Test func `the first that ends an exchange is the last to strike it`() async throws {
        let house = try await TroubleHouse()
        try await house.add(
            .init(.slow, times: 5, delay: 2), .init(.offline, times: 1),
            .init(.status, times: 1, status: 500), .init(.reset, times: 1, phase: .after))
        let (got, kept) = try await house.call()
        #expect(got.failure == .nameLookup)
        #expect(kept.exchange.condition == "slow, 1 of 5; offline, 1 of 1")
        let left = house.conditions.list(in: "main").map(\.used)
        #expect(left == [1, 0, 0])
    }

    @Test(arguments: [
        (Condition.Draft(.offline, app: "bob"), false),
        (Condition.Draft(.offline, device: "dev_2"), false),
        (Condition.Draft(.offline, call: "refresh"), false),
        (Condition.Draft(.offline, app: "mystica", device: "dev_1", call: "login"), true),
    ]) func `only what is in its scope is struck`(_ draft: Condition.Draft, _ strikes: Bool)
        async throws
    {
        let house = try await TroubleHouse()
        try await house.add(draft)
        let isStruck = try await house.call().got.failure != nil
        #expect(isStruck == strikes)
    }

    @Test func `another workspace's conditions are its own`() async throws {
        let house = try await TroubleHouse()
        _ = try await house.conditions.add([.init(.offline)], in: "other")
        #expect(try await house.call().got.status == 200)
    }

    @Test func `a condition ended strikes no more`() async throws {
        let house = try await TroubleHouse()
        try await house.add(.init(.offline))
        #expect(try await house.call().got.failure != nil)
        #expect(try await house.conditions.end(in: "main") == 1)
        #expect(try await house.call().got.status == 200)
        let changes = house.hub.events(in: "main").filter { $0.kind == .conditionChanged }.map {
            $0.facts["change"]
        }
        #expect(changes == ["added", "ended"])
    }

    @Test func `a restart keeps what is left of them`() async throws {
        let house = try await TroubleHouse()
        try await house.add(
            .init(.offline, times: 3),
            .init(
                .status, call: "me", times: 2, status: 418, body: "tea", headers: ["X-Pot": "short"]
            ), .init(.reset, times: 1, phase: .after))
        try await house.call()
        let before = house.conditions.list(in: "main")
        let after = try await Conditions(
            database: house.database, world: house.frozen.world, hub: house.hub)
        #expect(after.list(in: "main") == before)
        #expect(before.first?.used == 1)
        try await house.call()
        try await house.call()
        let later = try await Conditions(
            database: house.database, world: house.frozen.world, hub: house.hub)
        #expect(later.list(in: "main").map(\.kind) == [.status, .reset])
    }

    @Test func `what was added is seen whatever ends elsewhere meanwhile`() async throws {
        let conditions = try await TroubleHouse().conditions
        @Sendable func added(in workspace: String, _ rounds: Int) -> Int {
            (0..<rounds).reduce(0) { missed, round in
                let condition = Condition(
                    id: "cnd_\(workspace)", sequence: Int64(round), workspace: workspace,
                    draft: .init(.offline), set: nil, used: 0, madeAt: FrozenWorld.noon)
                conditions.change { $0.active[workspace] = [condition] }
                let isMissed = conditions.isIdle
                conditions.change { $0.active[workspace] = nil }
                return missed + (isMissed ? 1 : 0)
            }
        }
        async let one = BlockingThread.run { added(in: "one", 20_000) }
        async let other = BlockingThread.run { added(in: "other", 20_000) }
        #expect(await one + other == 0)
    }

    @Test func `a workspace holds so many and not one more`() async throws {
        let house = try await TroubleHouse()
        let many = Array(repeating: Condition.Draft(.offline), count: Conditions.most)
        _ = try await house.conditions.add(many, in: "main")
        await #expect(throws: Problem.self) { try await house.add(.init(.offline)) }
    }

    @Test func `a strike is told with its exchange as the cause`() async throws {
        let house = try await TroubleHouse()
        try await house.add(.init(.offline, times: 1))
        let (_, kept) = try await house.call()
        let events = house.hub.events(in: "main")
        let ended = try #require(events.first { $0.kind == .exchange })
        let struck = try #require(events.first { $0.kind == .conditionApplied })
        #expect(struck.cause == ended.id)
        #expect(struck.facts["exchange"] == kept.exchange.id)
        #expect(struck.app == "mystica")
        #expect(events.last?.facts["change"] == "used up")
    }

    @Test(arguments: Condition.sets) func `a named set is made of what can be made`(
        _ set: Condition.Named
    ) {
        #expect(!set.drafts.isEmpty)
        for draft in set.drafts { #expect(draft.faults.isEmpty) }
    }

    @Test(arguments: [
        (Condition.Draft(.offline, times: 0), "/times"),
        (Condition.Draft(.offline, times: 1_001), "/times"),
        (Condition.Draft(.mailLost, phase: .after), "/phase"),
        (Condition.Draft(.status), "/status"), (Condition.Draft(.status, status: 99), "/status"),
        (Condition.Draft(.offline, status: 500), "/status"),
        (Condition.Draft(.slow, delay: 0), "/delay"),
        (Condition.Draft(.slow, delay: .nan), "/delay"),
        (Condition.Draft(.rateLimited, retryAfter: -1), "/retryAfter"),
        (Condition.Draft(.clockSkew, skew: 0), "/skew"),
        (Condition.Draft(.status, status: 200, headers: ["A B": "c"]), "/headers/A B"),
        (Condition.Draft(.status, status: 200, headers: ["A": "c\r\nSet-Cookie: d"]), "/headers/A"),
    ]) func `what makes no sense is named`(_ draft: Condition.Draft, _ pointer: String) {
        #expect(draft.faults.map(\.pointer) == [pointer])
    }
}
