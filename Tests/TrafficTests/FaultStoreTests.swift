import Core
import Support
import Testing
import Web

@testable import Traffic

/// Which exchanges a fault applies to, and how often.
@Suite(.timeLimit(.minutes(10))) struct FaultStoreTests {
    @Test func `an offline fault for 3 calls does not affect the fourth`() async throws {
        let fixture = try await FaultFixture()
        try await fixture.add(.init(.offline, times: 3))
        for number in 1...3 {
            let (outcome, recorded) = try await fixture.call()
            #expect(outcome.failure == .nameLookup)
            #expect(recorded.exchange.fault == "offline, \(number) of 3")
        }
        let (outcome, recorded) = try await fixture.call()
        #expect(outcome.status == 200)
        #expect(recorded.exchange.fault == nil)
        #expect(fixture.sent.all.count == 1)
        #expect(fixture.faults.list(in: "main").isEmpty)
    }

    @Test func `sixteen concurrent calls share 3 applications of a fault`() async throws {
        let fixture = try await FaultFixture()
        try await fixture.add(.init(.reset, times: 3))
        let failed = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 1...16 { group.addTask { try await fixture.call().outcome.failure != nil } }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(failed == 3)
        #expect(fixture.sent.all.count == 13)
        let applied = fixture.hub.events(in: "main").filter { $0.kind == .faultApplied }
        #expect(
            Set(applied.map(\.title)) == [
                "connection reset, 1 of 3", "connection reset, 2 of 3", "connection reset, 3 of 3",
            ])
    }

    @Test func `the older of two faults of one kind applies until it is used up`() async throws {
        let fixture = try await FaultFixture()
        try await fixture.add(
            .init(.status, times: 1, status: 500), .init(.status, times: 1, status: 503))
        #expect(try await fixture.call().outcome.status == 500)
        #expect(try await fixture.call().outcome.status == 503)
        #expect(try await fixture.call().outcome.status == 200)
    }

    @Test func `the first fault that ends an exchange is the last one applied to it`() async throws
    {
        let fixture = try await FaultFixture()
        try await fixture.add(
            .init(.slow, times: 5, delay: 2), .init(.offline, times: 1),
            .init(.status, times: 1, status: 500), .init(.reset, times: 1, phase: .after))
        let (outcome, recorded) = try await fixture.call()
        #expect(outcome.failure == .nameLookup)
        #expect(recorded.exchange.fault == "slow, 1 of 5; offline, 1 of 1")
        let remaining = fixture.faults.list(in: "main").map(\.appliedCount)
        #expect(remaining == [1, 0, 0])
    }

    @Test(arguments: [
        (Fault.Draft(.offline, app: "bob"), false),
        (Fault.Draft(.offline, device: "dev_2"), false),
        (Fault.Draft(.offline, call: "refresh"), false),
        (Fault.Draft(.offline, app: "mystica", device: "dev_1", call: "login"), true),
    ]) func `a fault applies only within its scope`(_ draft: Fault.Draft, _ applies: Bool)
        async throws
    {
        let fixture = try await FaultFixture()
        try await fixture.add(draft)
        let isAffected = try await fixture.call().outcome.failure != nil
        #expect(isAffected == applies)
    }

    @Test func `a fault of another workspace does not apply`() async throws {
        let fixture = try await FaultFixture()
        _ = try await fixture.faults.add([.init(.offline)], in: "other")
        #expect(try await fixture.call().outcome.status == 200)
    }

    @Test func `a removed fault no longer applies`() async throws {
        let fixture = try await FaultFixture()
        try await fixture.add(.init(.offline))
        #expect(try await fixture.call().outcome.failure != nil)
        #expect(try await fixture.faults.remove(in: "main") == 1)
        #expect(try await fixture.call().outcome.status == 200)
        let changes = fixture.hub.events(in: "main").filter { $0.kind == .faultChanged }.map {
            $0.details["change"]
        }
        #expect(changes == ["added", "ended"])
    }

    @Test func `faults keep their remaining count across a restart`() async throws {
        let fixture = try await FaultFixture()
        try await fixture.add(
            .init(.offline, times: 3),
            .init(
                .status, call: "me", times: 2, status: 418, body: "tea", headers: ["X-Pot": "short"]
            ), .init(.reset, times: 1, phase: .after))
        try await fixture.call()
        let before = fixture.faults.list(in: "main")
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

    @Test func `an added fault is visible while another workspace removes its own`() async throws {
        let faults = try await FaultFixture().faults
        @Sendable func countMissed(in workspace: String, _ rounds: Int) -> Int {
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
        async let first = BlockingThread.run { countMissed(in: "one", 20_000) }
        async let second = BlockingThread.run { countMissed(in: "other", 20_000) }
        #expect(await first + second == 0)
    }

    @Test func `a workspace accepts at most the maximum number of faults`() async throws {
        let fixture = try await FaultFixture()
        let many = Array(repeating: Fault.Draft(.offline), count: FaultStore.maxPerWorkspace)
        _ = try await fixture.faults.add(many, in: "main")
        await #expect(throws: Problem.self) { try await fixture.add(.init(.offline)) }
    }

    @Test func `the event of an applied fault has the exchange as its cause`() async throws {
        let fixture = try await FaultFixture()
        try await fixture.add(.init(.offline, times: 1))
        let (_, recorded) = try await fixture.call()
        let events = fixture.hub.events(in: "main")
        let ended = try #require(events.first { $0.kind == .exchangeEnded })
        let applied = try #require(events.first { $0.kind == .faultApplied })
        #expect(applied.cause == ended.id)
        #expect(applied.details["exchange"] == recorded.exchange.id)
        #expect(applied.app == "mystica")
        #expect(events.last?.details["change"] == "exhausted")
    }

    @Test(arguments: Fault.presets) func `every preset contains only valid faults`(
        _ preset: Fault.Preset
    ) {
        #expect(!preset.drafts.isEmpty)
        for draft in preset.drafts { #expect(draft.fieldErrors.isEmpty) }
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
    ]) func `an invalid fault is reported with the pointer of its field`(
        _ draft: Fault.Draft, _ pointer: String
    ) {
        #expect(draft.fieldErrors.map(\.pointer) == [pointer])
    }
}
