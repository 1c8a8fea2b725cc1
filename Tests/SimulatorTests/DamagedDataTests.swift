import Core
import SQLite
import Support
import Testing
import Web

@testable import Simulator

/// Stored data that cannot be read anymore: it is reported, and remains until it is deleted.
@Suite(.timeLimit(.minutes(10))) struct DamagedDataTests {
    /// A signed-in app after a restart; its stored access token was damaged meanwhile.
    private func damagedPhone(_ folder: TemporaryDirectory) async throws -> Phone {
        let before = try await SimulatorFixture(path: folder.path)
        let instance = try await before.phone().signedIn().instance
        try await before.database.write { connection in
            try connection.run(
                "UPDATE items SET value = 'x' WHERE key = 'mystica_access_token'")
        }
        await before.database.close()
        let fixture = try await SimulatorFixture(path: folder.path)
        return Phone(fixture: fixture, instance: instance)
    }

    private let key = "mystica_access_token"

    @Test func `an unreadable item is an error that names it, not a missing item`() async throws {
        let folder = try TemporaryDirectory()
        let phone = try await damagedPhone(folder)
        let problem = await #expect(throws: Problem.self) { try await phone.now }
        #expect(problem?.code == Problem.unreadableStorageCode)
        #expect(problem?.detail.hasPrefix(key) == true)
        await refused(500, Problem.unreadableStorageCode) { try await phone.launch() }
        await refused(500, Problem.unreadableStorageCode) { try await phone.open("map") }
        await refused(500, Problem.unreadableStorageCode) {
            try await phone.simulator.reveal(phone.instance, key: key)
        }
        await refused(500, Problem.unreadableStorageCode) {
            try await phone.simulator.storedValue(phone.instance, holding: "accessToken")
        }
        // It is logged once, and still listed.
        let lines = phone.fixture.frozen.lines.filter { $0.contains(key) }
        #expect(lines.count == 1)
        let items = try await phone.simulator.storageItems(phone.instance)
        #expect(items.first?.maskedValue == "unreadable")
        // The session did not end.
        let session = try #require(try await phone.fixture.allSessions().first)
        #expect(session.endedAt == nil)
        await phone.fixture.database.close()
    }

    @Test func `deleting an unreadable item makes the app usable again`() async throws {
        let folder = try TemporaryDirectory()
        let phone = try await damagedPhone(folder)
        try await phone.simulator.deleteItem(phone.instance, key: key)
        #expect(try await phone.stored.count == 2)
        #expect(try await phone.now.session == nil)
        let remainingCount = try await phone.fixture.database.read { connection in
            try connection.integer(
                "SELECT count(*) FROM items WHERE key = 'mystica_access_token'")
        }
        #expect(remainingCount == 0)
        await phone.fixture.database.close()
    }

    @Test func `a value written by hand replaces a damaged one`() async throws {
        let folder = try TemporaryDirectory()
        let phone = try await damagedPhone(folder)
        try await phone.simulator.writeItem(phone.instance, key: key, value: Wire.token(2))
        #expect(try await phone.stored[key] == Wire.token(2))
        #expect(try await phone.now.session?.endedAt == nil)
        await phone.fixture.database.close()
    }

    @Test func `unreadable settings are an error, not missing settings`() async throws {
        let folder = try TemporaryDirectory()
        let instance: AppInstance
        do {
            let fixture = try await SimulatorFixture(path: folder.path)
            let phone = try await fixture.phone()
            _ = try await phone.launch()
            try await fixture.simulator.chooseBackend(
                phone.instance, backend: "local", base: "http://localhost:4000/v2/", settings: nil)
            instance = phone.instance
            try await fixture.database.write { connection in
                try connection.run("UPDATE places SET own = 'x'")
            }
            await fixture.database.close()
        }
        let fixture = try await SimulatorFixture(path: folder.path)
        let phone = Phone(fixture: fixture, instance: instance)
        await refused(500, Problem.unreadableStorageCode) { try await phone.launch() }
        try await fixture.simulator.clearStorage(instance)
        #expect(try await phone.now.baseURL != "http://localhost:4000/v2")
        await fixture.database.close()
    }

    @Test func `a state that cannot be stored does not affect the others`() async throws {
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
        try await fixture.simulator.writeItem(
            instant.instance, key: "mystica_device_id", value: "x")
        await fixture.simulator.flush()
        let sessionBegan = try #require(fixture.events(.sessionBegan).last)
        let stored = try await phone.stored
        try await fixture.simulator.clearStorage(phone.instance)
        _ = try await fixture.simulator.restoreState(at: sessionBegan)
        #expect(try await phone.stored == stored)
        #expect(
            fixture.frozen.lines.contains {
                $0.hasPrefix("state history: the state of mystica-instant on ")
            })
    }

    @Test func `a search index that cannot be updated is logged`() async throws {
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
