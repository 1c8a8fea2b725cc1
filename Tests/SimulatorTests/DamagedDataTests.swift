import Core
import SQLite
import Support
import Testing
import Web

@testable import Simulator

/// What the simulator stored and cannot read any more: it is told, and stays
/// until somebody forgets it.
@Suite(.timeLimit(.minutes(10))) struct DamagedDataTests {
    /// A phone that signed in, after a restart; its access token was changed
    /// on the disk meanwhile.
    private func damaged(_ folder: TemporaryDirectory) async throws -> Phone {
        let before = try await SimulatorFixture(path: folder.path)
        let instance = try await before.phone().signedIn().place
        try await before.database.write { connection in
            try connection.run("UPDATE items SET value = 'x' WHERE key = 'mystica_access_token'")
        }
        await before.database.close()
        let fixture = try await SimulatorFixture(path: folder.path)
        return Phone(house: fixture, place: instance)
    }

    private let key = "mystica_access_token"

    @Test func `an item that cannot be unsealed is named and not taken as none`() async throws {
        let folder = try TemporaryDirectory()
        let phone = try await damaged(folder)
        let problem = await #expect(throws: Problem.self) { try await phone.now }
        #expect(problem?.code == Problem.unreadableStorageCode)
        #expect(problem?.detail.hasPrefix(key) == true)
        await refused(500, Problem.unreadableStorageCode) { try await phone.launch() }
        await refused(500, Problem.unreadableStorageCode) { try await phone.open("map") }
        await refused(500, Problem.unreadableStorageCode) {
            try await phone.simulator.reveal(phone.place, key: key)
        }
        await refused(500, Problem.unreadableStorageCode) {
            try await phone.simulator.storedValue(phone.place, holding: "accessToken")
        }
        // It is in the log, once, and still in the list.
        let lines = phone.house.frozen.lines.filter { $0.contains(key) }
        #expect(lines.count == 1)
        let items = try await phone.simulator.storageItems(phone.place)
        #expect(items.first?.maskedValue == "cannot be read")
        // Nobody was signed out by it.
        let session = try #require(try await phone.house.allSessions().first)
        #expect(session.endedAt == nil)
        await phone.house.database.close()
    }

    @Test func `forgetting what cannot be read lets the app go on`() async throws {
        let folder = try TemporaryDirectory()
        let phone = try await damaged(folder)
        try await phone.simulator.deleteItem(phone.place, key: key)
        #expect(try await phone.stored.count == 2)
        #expect(try await phone.now.session == nil)
        let left = try await phone.house.database.read { connection in
            try connection.integer("SELECT count(*) FROM items WHERE key = 'mystica_access_token'")
        }
        #expect(left == 0)
        await phone.house.database.close()
    }

    @Test func `a value written by hand takes the place of one that is damaged`() async throws {
        let folder = try TemporaryDirectory()
        let phone = try await damaged(folder)
        try await phone.simulator.writeItem(phone.place, key: key, value: Wire.token(2))
        #expect(try await phone.stored[key] == Wire.token(2))
        #expect(try await phone.now.session?.endedAt == nil)
        await phone.house.database.close()
    }

    @Test func `settings that cannot be unsealed are not taken as none`() async throws {
        let folder = try TemporaryDirectory()
        let instance: AppInstance
        do {
            let fixture = try await SimulatorFixture(path: folder.path)
            let phone = try await fixture.phone()
            _ = try await phone.launch()
            try await fixture.simulator.chooseBackend(
                phone.place, backend: "local", base: "http://localhost:4000/v2/", settings: nil)
            instance = phone.place
            try await fixture.database.write { connection in
                try connection.run("UPDATE places SET own = 'x'")
            }
            await fixture.database.close()
        }
        let fixture = try await SimulatorFixture(path: folder.path)
        let phone = Phone(house: fixture, place: instance)
        await refused(500, Problem.unreadableStorageCode) { try await phone.launch() }
        try await fixture.simulator.clearStorage(instance)
        #expect(try await phone.now.baseURL != "http://localhost:4000/v2")
        await fixture.database.close()
    }

    @Test func `one moment that cannot be kept loses no other`() async throws {
        let fixture = try await SimulatorFixture()
        try await fixture.database.write { connection in
            try connection.run(
                """
                CREATE TRIGGER refuses BEFORE INSERT ON moments \
                WHEN (SELECT app FROM places WHERE id = new.place) \
                = 'mystica-instant' BEGIN SELECT RAISE(ABORT, 'no'); END
                """)
        }
        let phone = try await fixture.phone().signedIn()
        let instant = try await fixture.phone("mystica-instant")
        try await fixture.simulator.writeItem(instant.place, key: "mystica_device_id", value: "x")
        await fixture.simulator.flush()
        let began = try #require(fixture.events(.sessionBegan).last)
        let stored = try await phone.stored
        try await fixture.simulator.clearStorage(phone.place)
        _ = try await fixture.simulator.restoreState(at: began)
        #expect(try await phone.stored == stored)
        #expect(
            fixture.frozen.lines.contains { $0.hasPrefix("moments: how mystica-instant was on ") })
    }

    @Test func `a session index that cannot be kept up is told in the log`() async throws {
        let fixture = try await SimulatorFixture()
        try await fixture.database.write { connection in
            try connection.run("DROP TABLE session_words")
        }
        _ = try await fixture.phone().signedIn()
        #expect(await eventually { fixture.frozen.wakes(in: 0.2...0.3) })
        fixture.frozen.advance(by: 1)
        #expect(
            await eventually {
                fixture.frozen.lines.contains {
                    $0.hasPrefix("sessions: the search index could not")
                }
            })
    }
}
