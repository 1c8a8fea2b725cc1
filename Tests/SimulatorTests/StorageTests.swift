import Core
import FoundationEssentials
import Support
import Testing
import Web

@testable import Simulator

/// The storage of an app, inspected and edited by hand.
@Suite(.timeLimit(.minutes(10))) struct StorageTests {
    @Test func `items are listed in the manifest's order, with masked secrets`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        let items = try await fixture.simulator.storageItems(phone.instance)
        #expect(
            items.map(\.key) == [
                "mystica_access_token", "mystica_refresh_token", "mystica_user_id",
            ])
        #expect(items.map(\.captureName) == ["accessToken", "refreshToken", "userID"])
        #expect(items[1].maskedValue == "…-1")
        #expect(items[0].maskedValue.hasPrefix("eyJhbG…"))
        #expect(items[0].byteCount == Wire.token(1).utf8.count)
        #expect(items[0].accessibilityClass == "whenUnlocked")
        #expect(items.allSatisfy { $0.writtenAt == fixture.frozen.now })
    }

    @Test func `a value is revealed by key, and the timeline records it`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        let value = try await fixture.simulator.reveal(phone.instance, key: "mystica_access_token")
        #expect(value == Wire.token(1))
        #expect(fixture.events(.storageRevealed).map(\.subject) == ["mystica_access_token"])
        let storedValue = try await fixture.simulator.storedValue(
            phone.instance, holding: "accessToken")
        #expect(storedValue == value)
        #expect(fixture.events(.storageRevealed).count == 1)
    }

    @Test func `the next call uses an edited token`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        try await fixture.simulator.writeItem(
            phone.instance, key: "mystica_access_token", value: "opaque-token")
        phone.stub.script("GET /auth/me", Wire.me)
        _ = try await phone.open("map")
        #expect(phone.stub.requests.last?.bearer == "opaque-token")
        let session = try #require(try await phone.now.session)
        #expect(session.accessToken?.isJWT == false)
        let history = try await fixture.simulator.history(ofSession: session.id, in: "main")
        #expect(history.map(\.kind) == ["signedIn", "edited"])
    }

    @Test func `deleting the access token ends the session`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        try await fixture.simulator.deleteItem(phone.instance, key: "mystica_access_token")
        #expect(try await phone.now.session == nil)
        #expect(try await phone.stored.count == 2)
        let session = try #require(try await fixture.allSessions().first)
        #expect(session.state == .signedOut)
        #expect(session.endedAt != nil)
        #expect(try await phone.open("map").redirected == "login")
    }

    @Test func `a token written by hand starts a session`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone()
        try await fixture.simulator.writeItem(
            phone.instance, key: "mystica_access_token", value: Wire.token(5))
        let session = try #require(try await phone.now.session)
        #expect(session.email == "rowan@mystica.app")
        phone.stub.script("GET /auth/me", Wire.me)
        #expect(try await phone.launch().screen == "map")
    }

    @Test func `the storage can be cleared at once`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        try await fixture.simulator.clearStorage(phone.instance)
        #expect(try await phone.stored.isEmpty)
        #expect(fixture.events(.storageDeleted).count == 3)
    }

    @Test func `undeclared keys and values that are too large are rejected`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone()
        let simulator = fixture.simulator
        let instance = phone.instance
        await refused(404, "unknown-key") {
            try await simulator.writeItem(instance, key: "another", value: "x")
        }
        await refused(404, "unknown-key") {
            try await simulator.deleteItem(instance, key: "another")
        }
        await refused(404, "nothing-stored") {
            try await simulator.deleteItem(instance, key: "mystica_user_id")
        }
        await refused(404, "nothing-stored") {
            try await simulator.reveal(instance, key: "mystica_user_id")
        }
        await refused(413, "value-too-large") {
            try await simulator.writeItem(
                instance, key: "mystica_user_id", value: String(repeating: "x", count: 65_537))
        }
    }

    @Test func `the access token can be expired by hand`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        let expired = Wire.token(1, expires: -1)
        try await fixture.simulator.replaceAccessToken(
            phone.instance, with: expired, reason: "Expired manually")
        let session = try #require(try await phone.now.session)
        #expect(session.state == .expired)
        let history = try await fixture.simulator.history(ofSession: session.id, in: "main")
        #expect(history.last?.kind == "expiredManually")
        #expect(history.last?.title == "Expired manually")
        let signedOut = try await fixture.phone()
        await refused(409, "missing-token") {
            try await fixture.simulator.replaceAccessToken(
                signedOut.instance, with: expired, reason: "Expired manually")
        }
    }

    @Test func `unknown devices, apps, screens, actions and workspaces are rejected`() async throws
    {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone()
        let simulator = fixture.simulator
        var unknown = phone.instance
        unknown.device = "dev_none"
        await refused(404, "unknown-device") { try await simulator.status(unknown) }
        unknown = phone.instance
        unknown.app = "nothing"
        await refused(404, "unknown-app") { try await simulator.launch(unknown) }
        await refused(404, "unknown-screen") { try await phone.open("cellar") }
        await refused(404, "unknown-action") { try await phone.act("login", "dance") }
        await refused(404, "unknown-workspace") { try await simulator.makeDevice(in: "nowhere") }
        #expect(try await simulator.device("dev_none", in: "main") == nil)
        #expect(!simulator.hasWorkspace("nowhere"))
    }
}
