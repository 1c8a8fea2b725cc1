import Core
import Crypto
import SQLite
import Support
import Testing
import Web

@testable import Simulator

/// The stored states of apps after each event, and their restores.
@Suite(.timeLimit(.minutes(10))) struct StateHistoryTests {
    @Test func `an app is restored to its state at an event`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        let stored = try await phone.stored
        let sessionBegan = try #require(fixture.events(.sessionBegan).last)
        let session = try await phone.now.session?.id
        try await phone.simulator.clearStorage(phone.instance)
        _ = try await phone.simulator.restoreState(at: sessionBegan)
        #expect(try await phone.stored == stored)
        #expect(try await phone.screen == "map")
        #expect(try await phone.now.session?.id == session)
    }

    @Test func `the changes of a restore are events with the restore as their cause`() async throws
    {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        let sessionBegan = try #require(fixture.events(.sessionBegan).last)
        try await phone.simulator.clearStorage(phone.instance)
        _ = try await phone.simulator.restoreState(at: sessionBegan)
        let restored = try #require(fixture.events(.stateRestored).last)
        #expect(restored.cause == sessionBegan.id)
        #expect(fixture.events(.storageWritten).last?.cause == restored.id)
        // The state after the restore can be restored too.
        let stored = try await phone.stored
        try await phone.simulator.clearStorage(phone.instance)
        _ = try await phone.simulator.restoreState(at: restored)
        #expect(try await phone.stored == stored)
    }

    @Test func `the state between two events is the one after the first`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        // The response arrived before anything was stored.
        let exchangeEnded = try #require(fixture.events(.exchangeEnded).last)
        #expect(exchangeEnded.id < (fixture.events(.storageWritten).first?.id ?? 0))
        _ = try await phone.simulator.restoreState(at: exchangeEnded)
        #expect(try await phone.stored.isEmpty)
        #expect(try await phone.screen == "login")
    }

    @Test func `states can be restored back and forth`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        let stored = try await phone.stored
        let login = try #require(fixture.events(.screenShown).last { $0.subject == "login" })
        let map = try #require(fixture.events(.screenShown).last { $0.subject == "map" })
        for _ in 1...3 {
            _ = try await phone.simulator.restoreState(at: login)
            #expect(try await phone.stored.isEmpty)
            _ = try await phone.simulator.restoreState(at: map)
            #expect(try await phone.stored == stored)
        }
    }

    @Test func `the history contains no typed password`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone()
        _ = try await phone.launch()
        phone.stub.script("POST /auth/login", Wire.error(400))
        _ = try await phone.login("rowan@mystica.app", "sparrow-9!")
        _ = try await phone.open("register")
        await phone.simulator.flush()
        let sealer = phone.simulator.stateStore.sealer
        let bodies = try await fixture.database.read { connection in
            try connection.rows("SELECT body FROM moments") { $0.text(0) }
        }
        #expect(!bodies.isEmpty)
        for body in bodies {
            #expect(!body.contains("rowan"))
            #expect(try !sealer.open(body).contains("sparrow"))
        }
    }

    @Test func `the newest 200 states are stored and survive a restart`() async throws {
        let folder = try TemporaryDirectory()
        let fixture = try await SimulatorFixture(path: folder.path)
        let phone = try await fixture.phone().signedIn()
        let sessionBegan = try #require(fixture.events(.sessionBegan).last)
        for number in 1...210 {
            try await phone.simulator.writeItem(
                phone.instance, key: "mystica_user_id", value: "usr-\(number)")
        }
        let tenth = fixture.events(.storageWritten).suffix(11).first
        await phone.simulator.flush()
        let count = try await fixture.database.read { connection in
            try connection.integer("SELECT count(*) FROM moments")
        }
        #expect(count == 200)
        let problem = await #expect(throws: Problem.self) {
            _ = try await phone.simulator.restoreState(at: sessionBegan)
        }
        #expect(problem?.code == "state-not-stored")
        await fixture.database.close()
        let reopened = try await SimulatorFixture(path: folder.path)
        _ = try await reopened.simulator.restoreState(at: try #require(tenth))
        let reopenedPhone = Phone(fixture: reopened, instance: phone.instance)
        #expect(try await reopenedPhone.stored["mystica_user_id"] == "usr-200")
        await reopened.database.close()
    }

    @Test func `the last of 1,200 rapid changes can be restored`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        for number in 1...1_200 {
            try await phone.simulator.writeItem(
                phone.instance, key: "mystica_user_id", value: "usr-\(number)")
        }
        await phone.simulator.flush()
        let last = try #require(fixture.events(.storageWritten).last)
        try await phone.simulator.clearStorage(phone.instance)
        _ = try await phone.simulator.restoreState(at: last)
        #expect(try await phone.stored["mystica_user_id"] == "usr-1200")
    }
}
