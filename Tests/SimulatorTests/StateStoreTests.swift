import Core
import FoundationEssentials
import SQLite
import Support
import Synchronization
import Testing
import Web

@testable import Simulator

/// What survives a restart of the console, and what is isolated.
@Suite(.timeLimit(.minutes(10))) struct StateStoreTests {
    @Test func `storage, screen and session survive a restart`() async throws {
        let folder = try TemporaryDirectory()
        let instance: AppInstance
        let stored: [String: String]
        let before: AppStatus
        do {
            let fixture = try await SimulatorFixture(path: folder.path)
            let phone = try await fixture.phone().signedIn()
            _ = try await phone.open("settings")
            try await fixture.simulator.chooseBackend(
                phone.instance, backend: "local", base: "http://localhost:4000/v2/", settings: nil)
            phone.stub.script("GET /auth/me", Wire.me)
            _ = try await phone.launch()
            instance = phone.instance
            stored = try await phone.stored
            before = try await phone.now
            await fixture.database.close()
        }
        let fixture = try await SimulatorFixture(path: folder.path)
        let phone = Phone(fixture: fixture, instance: instance)
        let after = try await phone.now
        #expect(try await phone.stored == stored)
        #expect(after.screen == "map")
        #expect(after.screenSince == before.screenSince)
        #expect(after.session == before.session)
        #expect(after.visits == before.visits)
        #expect(after.transitions == before.transitions)
        #expect(after.lastTransition == before.lastTransition)
        #expect(after.device == before.device)
        #expect(after.backend == "local")
        #expect(after.baseURL == "http://localhost:4000/v2")
        // In-memory values are lost, as on a real device.
        #expect(before.availableValues["user"] != nil)
        #expect(after.availableValues["user"] == nil)
        phone.stub.script("GET /auth/me", Wire.me)
        #expect(try await phone.open("map").shown?.availableValues["user"] != nil)
        await fixture.database.close()
    }

    @Test func `a killed process has stored the state that it reported`() async throws {
        let folder = try TemporaryDirectory()
        let copy = try TemporaryDirectory()
        let fixture = try await SimulatorFixture(path: folder.path)
        let phone = try await fixture.phone().signedIn()
        // The files as a killed process leaves them: the database is not closed.
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: folder.path + suffix, toPath: copy.path + suffix)
        }
        let reopened = try await SimulatorFixture(path: copy.path)
        let reopenedPhone = Phone(fixture: reopened, instance: phone.instance)
        #expect(try await reopenedPhone.stored == phone.stored)
        #expect(try await reopenedPhone.screen == "map")
        #expect(try await reopenedPhone.now.session == phone.now.session)
        await fixture.database.close()
        await reopened.database.close()
    }

    @Test func `300 concurrent sign-ins are all stored`() async throws {
        let folder = try TemporaryDirectory()
        let count = 300
        do {
            let fixture = try await SimulatorFixture(path: folder.path)
            fixture.stub.always(
                "POST /auth/login",
                .made { request in
                    let email = request.text.split(separator: "\"")[3]
                    return Wire.session(Wire.token(1, email: String(email)), "refresh-token-1")
                })
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<count {
                    group.addTask {
                        let phone = try await fixture.phone()
                        _ = try await phone.launch()
                        let result = try await phone.login("p\(number)@x.org")
                        #expect(result.screen == "map")
                    }
                }
                try await group.waitForAll()
            }
            await fixture.database.close()
        }
        let fixture = try await SimulatorFixture(path: folder.path)
        var query = SessionQuery(workspace: "main")
        query.keyset.limit = 500
        let list = try await fixture.simulator.sessions(query)
        #expect(list.workspaceTotals[.active] == count)
        #expect(Set(list.page.items.map(\.device)).count == count)
        for session in list.page.items {
            let instance = AppInstance(workspace: "main", device: session.device, app: "mystica")
            let items = try await fixture.simulator.storageItems(instance)
            #expect(items.count == 3)
        }
        await fixture.database.close()
    }

    @Test func `two devices are isolated from each other`() async throws {
        let fixture = try await SimulatorFixture()
        let one = try await fixture.phone().signedIn()
        let other = try await fixture.phone()
        #expect(try await other.launch().screen == "login")
        #expect(try await other.stored.isEmpty)
        #expect(try await other.now.session == nil)
        #expect(try await one.now.session != nil)
        let uuids = try await [one.now.device.uuid, other.now.device.uuid]
        #expect(uuids[0] != uuids[1])
    }

    @Test func `another app on the same device has its own storage`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        let instant = Phone(
            fixture: fixture,
            instance: AppInstance(
                workspace: "main", device: phone.instance.device, app: "mystica-instant"))
        #expect(try await instant.stored.isEmpty)
        #expect(try await instant.now.isLaunching)
    }

    @Test func `a reset deletes everything, and running actions fail`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        let latch = Latch()
        phone.stub.script("POST /auth/logout", .held(latch, .json(200, "{}")))
        let logout = Task { try await phone.act("settings", "logout") }
        #expect(await eventually { latch.waiting == 1 })
        try await fixture.simulator.reset(workspace: "main")
        latch.open()
        await refused(404, "unknown-device") { try await logout.value }
        await refused(404, "unknown-device") { try await phone.now }
        #expect(try await fixture.simulator.devices(in: "main").total == 0)
        #expect(try await fixture.allSessions().isEmpty)
        let list = try await fixture.simulator.sessions(SessionQuery(workspace: "main"))
        #expect(list.page.total == 0)
        let device = try await fixture.simulator.makeDevice(in: "main")
        #expect(device.label == "Device 1")
    }

    @Test func `a failing database is reported as a problem`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone()
        _ = try await phone.launch()
        await fixture.database.close()
        phone.stub.script("POST /auth/login", Wire.session(Wire.token(1), "refresh-token-1"))
        await refused(503, "storage-failed") { try await phone.login() }
        // The state that was not stored is not shown either.
        #expect(try await phone.screen == "login")
        #expect(try await phone.now.session == nil)
        await refused(503, "storage-failed") { try await fixture.simulator.makeDevice(in: "main") }
    }

    @Test func `devices are created, changed and listed newest first`() async throws {
        let fixture = try await SimulatorFixture()
        for _ in 0..<5 { _ = try await fixture.simulator.makeDevice(in: "main") }
        let first = try await fixture.simulator.devices(in: "main", at: Keyset(limit: 2))
        #expect(first.items.map(\.label) == ["Device 5", "Device 4"])
        let second = try await fixture.simulator.devices(
            in: "main", at: Keyset(before: first.last, limit: 2))
        #expect(second.items.map(\.label) == ["Device 3", "Device 2"])
        #expect(second.total == 5)
        let all = first.items + second.items
        let changed = try await fixture.simulator.updateDevice(all[0].id, in: "main") { device in
            device.label = "Mine"
            device.build = .release
            device.biometrics = .init(kind: .faceID, nextResult: .noMatch)
            device.display = .init(
                size: "ipad", orientation: .landscape, appearance: .dark,
                textSize: .accessibilityLarge)
        }
        #expect(try await fixture.simulator.device(all[0].id, in: "main") == changed)
        #expect(changed.biometrics.kind == .faceID)
        #expect(fixture.events(.deviceChanged).count == 6)
        await refused(404, "unknown-device") {
            try await fixture.simulator.updateDevice("dev_x", in: "main") { _ in }
        }
    }

    @Test func `devices evicted from memory are read from the database`() async throws {
        let fixture = try await SimulatorFixture()
        let first = try await fixture.phone().signedIn()
        for _ in 0..<1_300 {
            _ = try await fixture.simulator.status(try await fixture.phone().instance)
        }
        #expect(fixture.simulator.stateStore.cachedState(first.instance) == nil)
        #expect(try await first.stored.count == 3)
        #expect(try await first.now.session?.email == "rowan@mystica.app")
    }

    @Test func `memory keeps nothing of deleted workspaces`() async throws {
        let fixture = try await SimulatorFixture()
        let stateStore = fixture.simulator.stateStore
        for _ in 0..<3 {
            let workspace = try await fixture.simulator.makeWorkspace(
                label: "", lease: .seconds(60))
            try await fixture.simulator.reset(workspace: workspace.id)
            let before = stateStore.memory.withLock { $0.workspaceVersion(of: workspace.id) }
            fixture.simulator.closeWorkspace(workspace.id)
            try await fixture.simulator.deleteWorkspace(workspace.id)
            let after = stateStore.memory.withLock { $0.workspaceVersion(of: workspace.id) }
            // State read before the deletion is not cached.
            #expect(before != after)
        }
        #expect(stateStore.memory.withLock(\.resetCounts).isEmpty)
    }
}

/// A database path in a folder that is deleted with this object.
final class TemporaryDirectory: Sendable {
    let path: String
    private let folder: String

    init() throws {
        folder =
            FileManager.default.temporaryDirectory.path + "/foyer-simulator-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        path = folder + "/devices.sqlite"
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }
}
