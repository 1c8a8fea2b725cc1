import Backend
import Core
import Support
import Testing
import Web

@testable import Console
@testable import Simulator

/// What a kill in the middle of putting a snapshot back comes to.
@Suite(.timeLimit(.minutes(10))) struct SnapshotCutTests {
    /// The power goes.
    private struct Cut: Error {}

    /// A house with a snapshot of somebody signed in, whose refresh token was
    /// used since.
    private struct Scene {
        let data: DataFolderCopies
        let house: FoyerFixture
        let snapshot: Snapshot
        let session: String

        init() async throws {
            data = try DataFolderCopies()
            house = try await FoyerFixture(data: data.live)
            let device = try await house.registered()
            let taken = await house.ask(
                .post, "/api/snapshots", json: ["name": "signed in"],
                headers: [("X-Foyer-Device", device)])
            snapshot = try #require(
                try await house.simulator.snapshot(taken.json["id"]?.string ?? "", in: "main"))
            session = try await house.session()
            let refreshed = await house.ask(.post, "/api/sessions/\(session)/refresh")
            #expect(refreshed.json["refreshCount"] == 1)
        }
    }

    @Test(arguments: [false, true])
    func `a kill between the halves leaves a restore that is finished`(afterServer: Bool)
        async throws
    {
        let scene = try await Scene()
        let (fixture, id) = (scene.house, scene.snapshot.id)
        await #expect(throws: Cut.self) {
            try await fixture.simulator.restore(scene.snapshot) {
                if afterServer { _ = try await fixture.backend.restore(snapshot: id) }
                try scene.data.cut()
                throw Cut()
            }
        }
        let after = try await FoyerFixture(data: scene.data.left)
        try await after.settleSnapshots()
        #expect(try await after.simulator.interruptedRestores().isEmpty)
        #expect(after.hub.events(in: "main").last?.kind == .snapshotRestored)
        let one = "/api/sessions/\(scene.session)"
        #expect(await after.ask(.get, one).json["refreshCount"] == 0)
        let refreshed = await after.ask(.post, one + "/refresh")
        #expect(refreshed.json["state"] == "active")
    }

    @Test func `a workspace that goes meanwhile is told as gone`() async throws {
        let scene = try await Scene()
        let simulator = scene.house.simulator
        await #expect {
            try await simulator.restore(scene.snapshot) {
                simulator.closeWorkspace("main")
                throw Cut()
            }
        } throws: { ($0 as? Problem)?.status == 404 }
        await #expect { try await simulator.restore(scene.snapshot) {} } throws: {
            ($0 as? Problem)?.status == 404
        }
        // A snapshot that went in between is none to begin with.
        let isBegun = try await simulator.database.writeThrowingProblems { connection in
            try RestoreTable.begin("snap_gone", connection)
        }
        #expect(!isBegun)
    }

    @Test func `a restore that came to its end is not done again`() async throws {
        let scene = try await Scene()
        let one = "/api/snapshots/\(scene.snapshot.id)/restore"
        #expect(await scene.house.ask(.post, one).status == 200)
        let session = "/api/sessions/\(scene.session)"
        _ = await scene.house.ask(.post, session + "/refresh")
        try scene.data.cut()
        let after = try await FoyerFixture(data: scene.data.left)
        try await after.settleSnapshots()
        #expect(await after.ask(.get, session).json["refreshCount"] == 1)
    }

    @Test func `one that was refused is not tried again by a start`() async throws {
        let scene = try await Scene()
        try await scene.house.backend.delete(snapshot: scene.snapshot.id)
        let one = "/api/snapshots/\(scene.snapshot.id)/restore"
        #expect(await scene.house.ask(.post, one).status == 409)
        #expect(try await scene.house.simulator.interruptedRestores().isEmpty)
    }

    @Test func `of two at once the halves of each come together`() async throws {
        let scene = try await Scene()
        let other = await scene.house.device()
        let second = await scene.house.ask(
            .post, "/api/snapshots", json: ["name": "later"], headers: [("X-Foyer-Device", other)])
        let later = try #require(
            try await scene.house.simulator.snapshot(second.json["id"]?.string ?? "", in: "main"))
        let latch = Latch()
        let simulator = scene.house.simulator
        let order = Order()
        async let first: Void = simulator.restore(scene.snapshot) {
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
        func add(_ word: String) { all.append(word) }
    }
}
