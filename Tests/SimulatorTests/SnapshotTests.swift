import Apps
import Core
import FoundationEssentials
import SQLite
import Support
import Testing
import Web

@testable import Simulator

/// Snapshots of devices, and their restores.
@Suite(.timeLimit(.minutes(10))) struct SnapshotTests {
    private func takeSnapshot(_ phone: Phone, app: String? = nil, name: String = "signed in")
        async throws
        -> Snapshot
    {
        try await phone.simulator.takeSnapshot(
            phone.fixture.simulator.world.makeID("snap"), name: name,
            ofDevice: phone.instance.device, app: app, contracts: [], in: "main"
        ) {}
    }

    @Test func `a restore brings back storage, screen and session`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        let (stored, before) = (try await phone.stored, try await phone.now)
        let snapshot = try await takeSnapshot(phone)
        #expect(snapshot.apps == ["mystica"])
        try await phone.simulator.clearStorage(phone.instance)
        try await phone.simulator.relaunch(phone.instance, isKill: true)
        try await phone.simulator.restore(snapshot) {}
        #expect(try await phone.stored == stored)
        let after = try await phone.now
        #expect(after.screen == "map")
        #expect(after.visits == before.visits)
        #expect(after.session?.id == before.session?.id)
        #expect(after.session?.state == .active)
        let sessions = try await fixture.allSessions()
        #expect(sessions.count == 1)
        #expect(fixture.events(.screenShown).last?.subject == "map")
    }

    @Test func `a restore ends a session that began after the snapshot`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        let snapshot = try await takeSnapshot(phone)
        let first = try await phone.now.session?.id
        phone.stub.script("POST /auth/login", Wire.session(Wire.token(2), "refresh-2"))
        try await phone.simulator.clearStorage(phone.instance)
        try await phone.simulator.relaunch(phone.instance, isKill: false)
        _ = try await phone.launch()
        _ = try await phone.login()
        let second = try #require(try await phone.now.session?.id)
        #expect(second != first)
        try await phone.simulator.restore(snapshot) {}
        let sessions = try await fixture.allSessions()
        #expect(sessions.first { $0.id == second }?.state == .signedOut)
        #expect(sessions.first { $0.id == first }?.state == .active)
    }

    @Test func `a restore resets an app launched after the snapshot`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        let snapshot = try await takeSnapshot(phone)
        var otherInstance = phone.instance
        otherInstance.app = "wall"
        _ = try await phone.simulator.launch(otherInstance)
        #expect(try await !phone.simulator.status(otherInstance).visits.isEmpty)
        try await phone.simulator.restore(snapshot) {}
        #expect(try await phone.simulator.status(otherInstance).visits.isEmpty)
    }

    @Test func `a snapshot of one app does not change the other apps`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        var otherInstance = phone.instance
        otherInstance.app = "wall"
        _ = try await phone.simulator.launch(otherInstance)
        let snapshot = try await takeSnapshot(phone, app: "wall")
        #expect(snapshot.apps == ["wall"])
        try await phone.simulator.clearStorage(phone.instance)
        try await phone.simulator.restore(snapshot) {}
        #expect(try await phone.stored.isEmpty)
    }

    @Test func `tokens replaced again after a restore are archived once`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        let snapshot = try await takeSnapshot(phone)
        let id = try #require(try await phone.now.session?.id)
        for round in 2...4 {
            phone.stub.script(
                "POST /auth/refresh", Wire.refreshed(Wire.token(round), "refresh-\(round)"))
            _ = try await phone.simulator.refresh(session: id, in: "main")
            try await phone.simulator.restore(snapshot) {}
        }
        let archived = try await phone.simulator.archivedTokens(ofSession: id, in: "main")
        // The first pair once, and each pair that a restore undid.
        #expect(archived.filter { $0.generation == 1 }.count == 2)
        #expect(archived.filter { $0.generation == 2 }.count == 6)
    }

    @Test func `a snapshot survives a restart and is stored sealed`() async throws {
        let folder = try TemporaryDirectory()
        let fixture = try await SimulatorFixture(path: folder.path)
        let phone = try await fixture.phone().signedIn()
        let stored = try await phone.stored
        let snapshot = try await takeSnapshot(phone)
        let body = try await fixture.database.read { connection in
            try connection.text("SELECT body FROM snapshots")
        }
        for value in stored.values { #expect(body?.contains(value) == false) }
        try await phone.simulator.clearStorage(phone.instance)
        await fixture.database.close()
        let reopened = try await SimulatorFixture(path: folder.path)
        let reopenedPhone = Phone(fixture: reopened, instance: phone.instance)
        let reread = try #require(try await reopened.simulator.snapshot(snapshot.id, in: "main"))
        #expect(reread == snapshot)
        try await reopened.simulator.restore(reread) {}
        #expect(try await reopenedPhone.stored == stored)
        await reopened.database.close()
    }

    @Test func `a failure of the first step changes nothing on the device`() async throws {
        struct FirstStepError: Error {}
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        let snapshot = try await takeSnapshot(phone)
        try await phone.simulator.clearStorage(phone.instance)
        await #expect(throws: FirstStepError.self) {
            try await phone.simulator.restore(snapshot) { throw FirstStepError() }
        }
        #expect(try await phone.stored.isEmpty)
        await #expect(throws: FirstStepError.self) {
            _ = try await phone.simulator.takeSnapshot(
                "snap_x", name: "never", ofDevice: phone.instance.device, app: nil, contracts: [],
                in: "main"
            ) { throw FirstStepError() }
        }
        #expect(try await phone.simulator.snapshots(in: "main").total == 1)
    }

    @Test func `a snapshot of an app without a manifest cannot be restored`() async throws {
        let manifest = try String(
            decoding: Data(
                contentsOf: URL(fileURLWithPath: SimulatorFixture.manifests + "/mystica/app.json5")),
            as: UTF8.self
        ).replacing("id: 'mystica'", with: "id: 'test'")
        let apps = try ManifestFolder(manifest)
        let fixture = try await SimulatorFixture(apps: apps.path)
        let phone = try await fixture.phone("test")
        try #require(phone.simulator.catalog.app("test") != nil)
        _ = try await phone.launch()
        let snapshot = try await takeSnapshot(phone)
        try FileManager.default.removeItem(atPath: apps.path + "/test")
        fixture.frozen.advance(by: 5)
        await #expect(throws: Problem.self) { try await phone.simulator.restore(snapshot) {} }
    }

    @Test func `a workspace stores 50 snapshots, and a reset deletes them`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone()
        _ = try await phone.launch()
        for number in 1...Snapshot.maxPerWorkspace {
            _ = try await takeSnapshot(phone, name: "number \(number)")
        }
        await #expect(throws: Problem.self) { _ = try await takeSnapshot(phone, name: "one more") }
        let page = try await phone.simulator.snapshots(in: "main", at: Keyset(limit: 20))
        #expect(page.items.first?.name == "number 50" && page.hasOlder)
        try await phone.simulator.reset(workspace: "main")
        #expect(try await phone.simulator.snapshots(in: "main").total == 0)
    }
}
