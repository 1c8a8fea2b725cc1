import FoundationEssentials
import Support
import Surroundings
import Testing
import Web

@testable import Simulator

/// What a device stores, seen and changed by hand.
@Suite(.timeLimit(.minutes(10))) struct StorageTests {
    @Test func `items come in the manifest's order, secrets masked`() async throws {
        let house = try await SimulatorHouse()
        let phone = try await house.phone().signedIn()
        let items = try await house.simulator.items(phone.place)
        #expect(
            items.map(\.key) == [
                "mystica_access_token", "mystica_refresh_token", "mystica_user_id",
            ])
        #expect(items.map(\.holds) == ["accessToken", "refreshToken", "userID"])
        #expect(items[1].masked == "…-1")
        #expect(items[0].masked.hasPrefix("eyJhbG…"))
        #expect(items[0].bytes == Wire.token(1).utf8.count)
        #expect(items[0].accessible == "whenUnlocked")
        #expect(items.allSatisfy { $0.writtenAt == house.frozen.now })
    }

    @Test func `a value is revealed by name, and the timeline notes it`() async throws {
        let house = try await SimulatorHouse()
        let phone = try await house.phone().signedIn()
        let value = try await house.simulator.reveal(phone.place, key: "mystica_access_token")
        #expect(value == Wire.token(1))
        #expect(house.events(.revealed).map(\.subject) == ["mystica_access_token"])
        let peeked = try await house.simulator.peek(phone.place, holding: "accessToken")
        #expect(peeked == value)
        #expect(house.events(.revealed).count == 1)
    }

    @Test func `an edited token is what the next call carries`() async throws {
        let house = try await SimulatorHouse()
        let phone = try await house.phone().signedIn()
        try await house.simulator.write(
            phone.place, key: "mystica_access_token", value: "opaque-token")
        phone.stub.script("GET /auth/me", Wire.me)
        _ = try await phone.open("map")
        #expect(phone.stub.requests.last?.bearer == "opaque-token")
        let session = try #require(try await phone.now.session)
        #expect(session.accessToken?.isJWT == false)
        let history = try await house.simulator.history(ofSession: session.id, in: "main")
        #expect(history.map(\.kind) == ["signedIn", "edited"])
    }

    @Test func `a forgotten access token ends the session`() async throws {
        let house = try await SimulatorHouse()
        let phone = try await house.phone().signedIn()
        try await house.simulator.forget(phone.place, key: "mystica_access_token")
        #expect(try await phone.now.session == nil)
        #expect(try await phone.stored.count == 2)
        let session = try #require(try await house.allSessions().first)
        #expect(session.state == .signedOut)
        #expect(session.endedAt != nil)
        #expect(try await phone.open("map").redirected == "login")
    }

    @Test func `a token written by hand begins a session`() async throws {
        let house = try await SimulatorHouse()
        let phone = try await house.phone()
        try await house.simulator.write(
            phone.place, key: "mystica_access_token", value: Wire.token(5))
        let session = try #require(try await phone.now.session)
        #expect(session.email == "rowan@mystica.app")
        phone.stub.script("GET /auth/me", Wire.me)
        #expect(try await phone.launch().screen == "map")
    }

    @Test func `everything can be forgotten at once`() async throws {
        let house = try await SimulatorHouse()
        let phone = try await house.phone().signedIn()
        try await house.simulator.forgetAll(phone.place)
        #expect(try await phone.stored.isEmpty)
        #expect(house.events(.forgotten).count == 3)
    }

    @Test func `keys nobody declares and values too large are refused`() async throws {
        let house = try await SimulatorHouse()
        let phone = try await house.phone()
        let simulator = house.simulator
        let place = phone.place
        await refused(404, "unknown-key") {
            try await simulator.write(place, key: "another", value: "x")
        }
        await refused(404, "unknown-key") { try await simulator.forget(place, key: "another") }
        await refused(404, "nothing-stored") {
            try await simulator.forget(place, key: "mystica_user_id")
        }
        await refused(404, "nothing-stored") {
            try await simulator.reveal(place, key: "mystica_user_id")
        }
        await refused(413, "value-too-large") {
            try await simulator.write(
                place, key: "mystica_user_id", value: String(repeating: "x", count: 65_537))
        }
    }

    @Test func `the access token can be ended by hand`() async throws {
        let house = try await SimulatorHouse()
        let phone = try await house.phone().signedIn()
        let dead = Wire.token(1, expires: -1)
        try await house.simulator.replaceAccessToken(
            phone.place, with: dead, because: "Expired by hand")
        let session = try #require(try await phone.now.session)
        #expect(session.state == .expired)
        let history = try await house.simulator.history(ofSession: session.id, in: "main")
        #expect(history.last?.kind == "expiredByHand")
        #expect(history.last?.title == "Expired by hand")
        let signedOut = try await house.phone()
        await refused(409, "missing-token") {
            try await house.simulator.replaceAccessToken(
                signedOut.place, with: dead, because: "Expired by hand")
        }
    }

    @Test func `what is not there is told in words`() async throws {
        let house = try await SimulatorHouse()
        let phone = try await house.phone()
        let simulator = house.simulator
        var elsewhere = phone.place
        elsewhere.device = "dev_none"
        await refused(404, "unknown-device") { try await simulator.situation(elsewhere) }
        elsewhere = phone.place
        elsewhere.app = "nothing"
        await refused(404, "unknown-app") { try await simulator.launch(elsewhere) }
        await refused(404, "unknown-screen") { try await phone.open("cellar") }
        await refused(404, "unknown-action") { try await phone.act("login", "dance") }
        await refused(404, "unknown-workspace") { try await simulator.makeDevice(in: "nowhere") }
        #expect(try await simulator.device("dev_none", in: "main") == nil)
        #expect(!simulator.hasWorkspace("nowhere"))
    }
}
