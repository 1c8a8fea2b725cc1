import Core
import Crypto
import SQLite
import Support
import Testing
import Web

@testable import Simulator

@Suite(.timeLimit(.minutes(10))) struct StateHistoryTests {
    @Test func `an app is put back to how it was at an event`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        let stored = try await phone.stored
        let began = try #require(fixture.events(.sessionBegan).last)
        let session = try await phone.now.session?.id
        try await phone.simulator.clearStorage(phone.place)
        _ = try await phone.simulator.restoreState(at: began)
        #expect(try await phone.stored == stored)
        #expect(try await phone.screen == "map")
        #expect(try await phone.now.session?.id == session)
    }

    @Test func `what is put back is told as an effect of doing so`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        let began = try #require(fixture.events(.sessionBegan).last)
        try await phone.simulator.clearStorage(phone.place)
        _ = try await phone.simulator.restoreState(at: began)
        let restored = try #require(fixture.events(.stateRestored).last)
        #expect(restored.cause == began.id)
        #expect(fixture.events(.storageWritten).last?.cause == restored.id)
        // And as of then it is so.
        let stored = try await phone.stored
        try await phone.simulator.clearStorage(phone.place)
        _ = try await phone.simulator.restoreState(at: restored)
        #expect(try await phone.stored == stored)
    }

    @Test func `between two events it is as the first left it`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        // The answer came before anything was stored.
        let answer = try #require(fixture.events(.exchangeEnded).last)
        #expect(answer.id < (fixture.events(.storageWritten).first?.id ?? 0))
        _ = try await phone.simulator.restoreState(at: answer)
        #expect(try await phone.stored.isEmpty)
        #expect(try await phone.screen == "login")
    }

    @Test func `a way back and forth`() async throws {
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

    @Test func `a password that was typed is nowhere in it`() async throws {
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

    @Test func `the newest two hundred are kept, and survive a restart`() async throws {
        let folder = try TemporaryDirectory()
        let fixture = try await SimulatorFixture(path: folder.path)
        let phone = try await fixture.phone().signedIn()
        let began = try #require(fixture.events(.sessionBegan).last)
        for number in 1...210 {
            try await phone.simulator.writeItem(
                phone.place, key: "mystica_user_id", value: "usr-\(number)")
        }
        let tenth = fixture.events(.storageWritten).suffix(11).first
        await phone.simulator.flush()
        let count = try await fixture.database.read { connection in
            try connection.integer("SELECT count(*) FROM moments")
        }
        #expect(count == 200)
        let gone = await #expect(throws: Problem.self) {
            _ = try await phone.simulator.restoreState(at: began)
        }
        #expect(gone?.code == "moment-not-kept")
        await fixture.database.close()
        let again = try await SimulatorFixture(path: folder.path)
        _ = try await again.simulator.restoreState(at: try #require(tenth))
        let same = Phone(house: again, place: phone.place)
        #expect(try await same.stored["mystica_user_id"] == "usr-200")
        await again.database.close()
    }

    @Test func `a crowd's moments are bounded, and nobody waits for them`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        for number in 1...1_200 {
            try await phone.simulator.writeItem(
                phone.place, key: "mystica_user_id", value: "usr-\(number)")
        }
        await phone.simulator.flush()
        let last = try #require(fixture.events(.storageWritten).last)
        try await phone.simulator.clearStorage(phone.place)
        _ = try await phone.simulator.restoreState(at: last)
        #expect(try await phone.stored["mystica_user_id"] == "usr-1200")
    }
}
