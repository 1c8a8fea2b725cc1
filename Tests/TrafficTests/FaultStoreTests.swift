import Core
import Support
import Testing
import Web

@testable import Traffic

/// Which condition strikes whom, and how often.
@Suite(.timeLimit(.minutes(10))) struct FaultStoreTests {
    @Test func `offline for 3 calls is over with the fourth`() async throws {
        let fixture = try await FaultFixture()
        try await fixture.add(.init(.offline, times: 3))
        for number in 1...3 {
            let (got, kept) = try await fixture.call()
            #expect(got.failure == .nameLookup)
            #expect(kept.exchange.fault == "offline, \(number) of 3")
        }
        let (got, kept) = try await fixture.call()
        #expect(got.status == 200)
        #expect(kept.exchange.fault == nil)
        #expect(fixture.sent.all.count == 1)
        #expect(fixture.conditions.list(in: "main").isEmpty)
    }

    @Test func `sixteen calls at once share 3 strikes between them`() async throws {
        let fixture = try await FaultFixture()
        try await fixture.add(.init(.reset, times: 3))
        let failed = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 1...16 { group.addTask { try await fixture.call().got.failure != nil } }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(failed == 3)
        #expect(fixture.sent.all.count == 13)
        let struck = fixture.hub.events(in: "main").filter { $0.kind == .faultApplied }
        #expect(
            Set(struck.map(\.title)) == [
                "connection reset, 1 of 3", "connection reset, 2 of 3", "connection reset, 3 of 3",
            ])
    }

    @Test func `of two of a kind the older strikes until it is used up`() async throws {
        let fixture = try await FaultFixture()
        try await fixture.add(
            .init(.status, times: 1, status: 500), .init(.status, times: 1, status: 503))
        #expect(try await fixture.call().got.status == 500)
        #expect(try await fixture.call().got.status == 503)
        #expect(try await fixture.call().got.status == 200)
    }

    @Test func `the first that ends an exchange is the last to strike it`() async throws {
        let fixture = try await FaultFixture()
        try await fixture.add(
            .init(.slow, times: 5, delay: 2), .init(.offline, times: 1),
            .init(.status, times: 1, status: 500), .init(.reset, times: 1, phase: .after))
        let (got, kept) = try await fixture.call()
        #expect(got.failure == .nameLookup)
        #expect(kept.exchange.fault == "slow, 1 of 5; offline, 1 of 1")
        let left = fixture.conditions.list(in: "main").map(\.appliedCount)
        #expect(left == [1, 0, 0])
    }

    @Test(arguments: [
        (Fault.Draft(.offline, app: "bob"), false),
        (Fault.Draft(.offline, device: "dev_2"), false),
        (Fault.Draft(.offline, call: "refresh"), false),
        (Fault.Draft(.offline, app: "mystica", device: "dev_1", call: "login"), true),
    ]) func `only what is in its scope is struck`(_ draft: Fault.Draft, _ strikes: Bool)
        async throws
    {
        let fixture = try await FaultFixture()
        try await fixture.add(draft)
        let isStruck = try await fixture.call().got.failure != nil
        #expect(isStruck == strikes)
    }

    @Test func `another workspace's conditions are its own`() async throws {
        let fixture = try await FaultFixture()
        _ = try await fixture.conditions.add([.init(.offline)], in: "other")
        #expect(try await fixture.call().got.status == 200)
    }

    @Test func `a condition ended strikes no more`() async throws {
        let fixture = try await FaultFixture()
        try await fixture.add(.init(.offline))
        #expect(try await fixture.call().got.failure != nil)
        #expect(try await fixture.conditions.remove(in: "main") == 1)
        #expect(try await fixture.call().got.status == 200)
        let changes = fixture.hub.events(in: "main").filter { $0.kind == .faultChanged }.map {
            $0.details["change"]
        }
        #expect(changes == ["added", "ended"])
    }

    @Test func `a restart keeps what is left of them`() async throws {
        let fixture = try await FaultFixture()
        try await fixture.add(
            .init(.offline, times: 3),
            .init(
                .status, call: "me", times: 2, status: 418, body: "tea", headers: ["X-Pot": "short"]
            ), .init(.reset, times: 1, phase: .after))
        try await fixture.call()
        let before = fixture.conditions.list(in: "main")
        let after = try await FaultStore(
            database: fixture.database, world: fixture.frozen.world, hub: fixture.hub)
        #expect(after.list(in: "main") == before)
        #expect(before.first?.appliedCount == 1)
        try await fixture.call()
        try await fixture.call()
        let later = try await FaultStore(
            database: fixture.database, world: fixture.frozen.world, hub: fixture.hub)
        #expect(later.list(in: "main").map(\.kind) == [.status, .reset])
    }

    @Test func `what was added is seen whatever ends elsewhere meanwhile`() async throws {
        let faults = try await FaultFixture().conditions
        @Sendable func added(in workspace: String, _ rounds: Int) -> Int {
            (0..<rounds).reduce(0) { missed, round in
                let fault = Fault(
                    id: "cnd_\(workspace)", sequence: Int64(round), workspace: workspace,
                    draft: .init(.offline), presetID: nil, appliedCount: 0,
                    createdAt: FrozenWorld.noon)
                faults.updateState { $0.active[workspace] = [fault] }
                let isMissed = faults.isEmpty
                faults.updateState { $0.active[workspace] = nil }
                return missed + (isMissed ? 1 : 0)
            }
        }
        async let one = BlockingThread.run { added(in: "one", 20_000) }
        async let other = BlockingThread.run { added(in: "other", 20_000) }
        #expect(await one + other == 0)
    }

    @Test func `a workspace holds so many and not one more`() async throws {
        let fixture = try await FaultFixture()
        let many = Array(repeating: Fault.Draft(.offline), count: FaultStore.maxPerWorkspace)
        _ = try await fixture.conditions.add(many, in: "main")
        await #expect(throws: Problem.self) { try await fixture.add(.init(.offline)) }
    }

    @Test func `a strike is told with its exchange as the cause`() async throws {
        let fixture = try await FaultFixture()
        try await fixture.add(.init(.offline, times: 1))
        let (_, kept) = try await fixture.call()
        let events = fixture.hub.events(in: "main")
        let ended = try #require(events.first { $0.kind == .exchangeEnded })
        let struck = try #require(events.first { $0.kind == .faultApplied })
        #expect(struck.cause == ended.id)
        #expect(struck.details["exchange"] == kept.exchange.id)
        #expect(struck.app == "mystica")
        #expect(events.last?.details["change"] == "used up")
    }

    @Test(arguments: Fault.presets) func `a named set is made of what can be made`(
        _ set: Fault.Preset
    ) {
        #expect(!set.drafts.isEmpty)
        for draft in set.drafts { #expect(draft.fieldErrors.isEmpty) }
    }

    @Test(arguments: [
        (Fault.Draft(.offline, times: 0), "/times"),
        (Fault.Draft(.offline, times: 1_001), "/times"),
        (Fault.Draft(.mailLost, phase: .after), "/phase"),
        (Fault.Draft(.status), "/status"), (Fault.Draft(.status, status: 99), "/status"),
        (Fault.Draft(.offline, status: 500), "/status"),
        (Fault.Draft(.slow, delay: 0), "/delay"),
        (Fault.Draft(.slow, delay: .nan), "/delay"),
        (Fault.Draft(.rateLimited, retryAfter: -1), "/retryAfter"),
        (Fault.Draft(.clockSkew, skew: 0), "/skew"),
        (Fault.Draft(.status, status: 200, headers: ["A B": "c"]), "/headers/A B"),
        (Fault.Draft(.status, status: 200, headers: ["A": "c\r\nSet-Cookie: d"]), "/headers/A"),
    ]) func `what makes no sense is named`(_ draft: Fault.Draft, _ pointer: String) {
        #expect(draft.fieldErrors.map(\.pointer) == [pointer])
    }
}
