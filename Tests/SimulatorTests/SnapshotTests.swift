import Apps
import Core
import FoundationEssentials
import SQLite
import Support
import Testing
import Web

@testable import Simulator

@Suite(.timeLimit(.minutes(10))) struct SnapshotTests {
    private func take(_ phone: Phone, app: String? = nil, name: String = "signed in") async throws
        -> Snapshot
    {
        try await phone.simulator.takeSnapshot(
            phone.house.simulator.world.makeID("snap"), name: name,
            ofDevice: phone.place.device, app: app, contracts: [], in: "main"
        ) {}
    }

    @Test func `storage, screen and session come back, and go on`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        let (stored, before) = (try await phone.stored, try await phone.now)
        let snapshot = try await take(phone)
        #expect(snapshot.apps == ["mystica"])
        try await phone.simulator.clearStorage(phone.place)
        try await phone.simulator.relaunch(phone.place, isKill: true)
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

    @Test func `another session that is under way ends with it`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        let snapshot = try await take(phone)
        let first = try await phone.now.session?.id
        phone.stub.script("POST /auth/login", Wire.session(Wire.token(2), "refresh-2"))
        try await phone.simulator.clearStorage(phone.place)
        try await phone.simulator.relaunch(phone.place, isKill: false)
        _ = try await phone.launch()
        _ = try await phone.login()
        let second = try #require(try await phone.now.session?.id)
        #expect(second != first)
        try await phone.simulator.restore(snapshot) {}
        let sessions = try await fixture.allSessions()
        #expect(sessions.first { $0.id == second }?.state == .signedOut)
        #expect(sessions.first { $0.id == first }?.state == .active)
    }

    @Test func `an app started since is as if it never was`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        let snapshot = try await take(phone)
        var other = phone.place
        other.app = "wall"
        _ = try await phone.simulator.launch(other)
        #expect(try await !phone.simulator.status(other).visits.isEmpty)
        try await phone.simulator.restore(snapshot) {}
        #expect(try await phone.simulator.status(other).visits.isEmpty)
    }

    @Test func `of one app, the others stay as they are`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        var other = phone.place
        other.app = "wall"
        _ = try await phone.simulator.launch(other)
        let snapshot = try await take(phone, app: "wall")
        #expect(snapshot.apps == ["wall"])
        try await phone.simulator.clearStorage(phone.place)
        try await phone.simulator.restore(snapshot) {}
        #expect(try await phone.stored.isEmpty)
    }

    @Test func `tokens given up again after a restore are kept once`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        let snapshot = try await take(phone)
        let id = try #require(try await phone.now.session?.id)
        for round in 2...4 {
            phone.stub.script(
                "POST /auth/refresh", Wire.refreshed(Wire.token(round), "refresh-\(round)"))
            _ = try await phone.simulator.refresh(session: id, in: "main")
            try await phone.simulator.restore(snapshot) {}
        }
        let kept = try await phone.simulator.archivedTokens(ofSession: id, in: "main")
        // The first pair once, and each that was undone.
        #expect(kept.filter { $0.generation == 1 }.count == 2)
        #expect(kept.filter { $0.generation == 2 }.count == 6)
    }

    @Test func `it survives a restart, sealed`() async throws {
        let folder = try TemporaryDirectory()
        let fixture = try await SimulatorFixture(path: folder.path)
        let phone = try await fixture.phone().signedIn()
        let stored = try await phone.stored
        let snapshot = try await take(phone)
        let body = try await fixture.database.read { connection in
            try connection.text("SELECT body FROM snapshots")
        }
        for value in stored.values { #expect(body?.contains(value) == false) }
        try await phone.simulator.clearStorage(phone.place)
        await fixture.database.close()
        let again = try await SimulatorFixture(path: folder.path)
        let same = Phone(house: again, place: phone.place)
        let kept = try #require(try await again.simulator.snapshot(snapshot.id, in: "main"))
        #expect(kept == snapshot)
        try await again.simulator.restore(kept) {}
        #expect(try await same.stored == stored)
        await again.database.close()
    }

    @Test func `what fails before changes nothing on the device`() async throws {
        struct Refusal: Error {}
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        let snapshot = try await take(phone)
        try await phone.simulator.clearStorage(phone.place)
        await #expect(throws: Refusal.self) {
            try await phone.simulator.restore(snapshot) { throw Refusal() }
        }
        #expect(try await phone.stored.isEmpty)
        await #expect(throws: Refusal.self) {
            _ = try await phone.simulator.takeSnapshot(
                "snap_x", name: "never", ofDevice: phone.place.device, app: nil, contracts: [],
                in: "main"
            ) { throw Refusal() }
        }
        #expect(try await phone.simulator.snapshots(in: "main").total == 1)
    }

    @Test func `an app gone from the manifests is named`() async throws {
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
        let snapshot = try await take(phone)
        try FileManager.default.removeItem(atPath: apps.path + "/test")
        fixture.frozen.advance(by: 5)
        await #expect(throws: Problem.self) { try await phone.simulator.restore(snapshot) {} }
    }

    @Test func `a workspace keeps fifty, and a reset none`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone()
        _ = try await phone.launch()
        for number in 1...Snapshot.maxPerWorkspace {
            _ = try await take(phone, name: "number \(number)")
        }
        await #expect(throws: Problem.self) { _ = try await take(phone, name: "one more") }
        let page = try await phone.simulator.snapshots(in: "main", limit: 20)
        #expect(page.items.first?.name == "number 50" && page.hasOlder)
        try await phone.simulator.reset(workspace: "main")
        #expect(try await phone.simulator.snapshots(in: "main").total == 0)
    }
}
