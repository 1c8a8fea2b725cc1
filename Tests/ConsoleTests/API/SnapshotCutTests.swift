import Backend
import Core
import Support
import Testing
import Web
import Workspaces

@testable import Console
@testable import Simulator

/// Recovery after a crash in the middle of restoring a snapshot.
@Suite(.timeLimit(.minutes(10))) struct SnapshotCutTests {
    /// Interrupts a restore like a power failure.
    private struct PowerFailure: Error {}

    /// A fixture with a snapshot of a signed-in device whose refresh token was used afterwards.
    private struct Setup {
        let data: DataFolderCopies
        let fixture: FoyerFixture
        let snapshot: Snapshot
        let session: String

        init() async throws {
            data = try DataFolderCopies()
            fixture = try await FoyerFixture(data: data.live)
            let device = try await fixture.registered()
            let taken = await fixture.ask(
                .post, "/api/snapshots", json: ["name": "signed in"],
                headers: [("X-Foyer-Device", device)])
            snapshot = try #require(
                try await fixture.simulator.snapshot(taken.json["id"]?.string ?? "", in: "main"))
            session = try await fixture.session()
            let refreshed = await fixture.ask(.post, "/api/sessions/\(session)/refresh")
            #expect(refreshed.json["refreshCount"] == 1)
        }
    }

    @Test(arguments: [false, true])
    func `a restore interrupted between its halves is completed at start`(afterServer: Bool)
        async throws
    {
        let setup = try await Setup()
        let (fixture, id) = (setup.fixture, setup.snapshot.id)
        await #expect(throws: PowerFailure.self) {
            try await fixture.simulator.restore(setup.snapshot) {
                if afterServer { _ = try await fixture.backend.restore(snapshot: id) }
                try setup.data.copyAsAfterPowerFailure()
                throw PowerFailure()
            }
        }
        let restarted = try await FoyerFixture(data: setup.data.crashCopy)
        try await restarted.snapshots.recover()
        #expect(try await restarted.simulator.interruptedRestores().isEmpty)
        #expect(restarted.hub.events(in: "main").last?.kind == .snapshotRestored)
        let path = "/api/sessions/\(setup.session)"
        #expect(await restarted.ask(.get, path).json["refreshCount"] == 0)
        let refreshed = await restarted.ask(.post, path + "/refresh")
        #expect(refreshed.json["state"] == "active")
    }

    @Test func `restoring into a workspace closed in the meantime returns 404`() async throws {
        let setup = try await Setup()
        let simulator = setup.fixture.simulator
        await #expect {
            try await simulator.restore(setup.snapshot) {
                simulator.closeWorkspace("main")
                throw PowerFailure()
            }
        } throws: { ($0 as? Problem)?.status == 404 }
        await #expect { try await simulator.restore(setup.snapshot) {} } throws: {
            ($0 as? Problem)?.status == 404
        }
        // A restore of a snapshot deleted in between does not begin.
        let hasBegun = try await simulator.database.writeThrowingProblems { connection in
            try RestoreTable.begin("snap_gone", connection)
        }
        #expect(!hasBegun)
    }

    @Test func `a completed restore is not repeated at start`() async throws {
        let setup = try await Setup()
        let path = "/api/snapshots/\(setup.snapshot.id)/restore"
        #expect(await setup.fixture.ask(.post, path).status == 200)
        let session = "/api/sessions/\(setup.session)"
        _ = await setup.fixture.ask(.post, session + "/refresh")
        try setup.data.copyAsAfterPowerFailure()
        let restarted = try await FoyerFixture(data: setup.data.crashCopy)
        try await restarted.snapshots.recover()
        #expect(await restarted.ask(.get, session).json["refreshCount"] == 1)
    }

    @Test func `a rejected restore is not retried at start`() async throws {
        let setup = try await Setup()
        try await setup.fixture.backend.delete(snapshot: setup.snapshot.id)
        let path = "/api/snapshots/\(setup.snapshot.id)/restore"
        #expect(await setup.fixture.ask(.post, path).status == 409)
        #expect(try await setup.fixture.simulator.interruptedRestores().isEmpty)
    }

    @Test func `concurrent restores run one after the other`() async throws {
        let setup = try await Setup()
        let other = await setup.fixture.device()
        let second = await setup.fixture.ask(
            .post, "/api/snapshots", json: ["name": "later"], headers: [("X-Foyer-Device", other)])
        let later = try #require(
            try await setup.fixture.simulator.snapshot(second.json["id"]?.string ?? "", in: "main"))
        let latch = Latch()
        let simulator = setup.fixture.simulator
        let order = Order()
        async let first: Void = simulator.restore(setup.snapshot) {
            await order.add("first")
            await latch.wait()
            await order.add("first goes on")
        }
        while await order.all.isEmpty { await Task.yield() }
        async let last: Void = simulator.restore(later) { await order.add("second") }
        while simulator.restoreLock.waiterCount("main") == 0 { await Task.yield() }
        latch.open()
        _ = try await (first, last)
        #expect(await order.all == ["first", "first goes on", "second"])
    }

    private actor Order {
        private(set) var all: [String] = []
        func add(_ entry: String) { all.append(entry) }
    }
}
