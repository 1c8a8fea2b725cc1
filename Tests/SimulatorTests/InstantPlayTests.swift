import FoundationEssentials
import Support
import Testing
import Web

@testable import Simulator

/// Mystica without a form: the device is the account (instant play).
@Suite(.timeLimit(.minutes(10))) struct InstantPlayTests {
    static let registered = StubTransport.Reply.json(
        201,
        #"""
        {"success":true,"data":{"user":{"id":"usr-9","level":1},
         "session":{"access_token":"\#(Wire.token(9))",
                    "refresh_token":null}}}
        """#)

    @Test func `MYS-60 a first launch registers the device`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone("mystica-instant")
        phone.stub.script("POST /auth/register-device", Self.registered)
        let result = try await phone.launch()
        #expect(result == ActionResult(screen: "map", succeeded: true))
        let uuid = try #require(
            await fixture.simulator.device(phone.instance.device, in: "main")?.uuid)
        #expect(phone.stub.requests[0].text == #"{"device_id":"\#(uuid)"}"#)
        #expect(UUID(uuidString: uuid) != nil)
        #expect(
            try await phone.stored == [
                "mystica_access_token": Wire.token(9), "mystica_device_id": uuid,
                "com.mystica.persistentDeviceId": uuid,
            ])
        #expect(try await phone.open("map").shown?.availableValues["user"]?["level"]?.int == 1)
    }

    @Test func `MYS-61 a second launch uses the stored token`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone("mystica-instant")
        phone.stub.script("POST /auth/register-device", Self.registered)
        _ = try await phone.launch()
        try await fixture.simulator.relaunch(phone.instance, isKill: false)
        phone.stub.script("GET /auth/me", Wire.me)
        #expect(try await phone.launch().screen == "map")
        #expect(phone.stub.requests.last?.bearer == Wire.token(9))
    }

    @Test func `MYS-62 an offline first launch shows an error and can be retried`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone("mystica-instant")
        phone.stub.script("POST /auth/register-device", .failure(.nameLookup), Self.registered)
        #expect(try await phone.launch() == ActionResult(screen: "splash", succeeded: false))
        let splash = try #require(try await phone.open("splash").shown)
        #expect(splash.failure?.message.hasPrefix("No internet") == true)
        #expect(try await phone.open("map").redirected == "splash")
        #expect(try await phone.stored.isEmpty)
        #expect(try await phone.launch().screen == "map")
    }

    @Test func `MYS-63 a launch after a logout registers the same device again`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone("mystica-instant")
        phone.stub.script("POST /auth/register-device", Self.registered, Self.registered)
        phone.stub.script("POST /auth/logout", .json(200, "{}"))
        _ = try await phone.launch()
        _ = try await phone.open("settings")
        let result = try await phone.act("settings", "logout")
        #expect(result == ActionResult(screen: "splash", succeeded: true))
        #expect(try await Array(phone.stored.keys) == ["com.mystica.persistentDeviceId"])
        #expect(try await phone.now.isLaunching)
        #expect(try await phone.launch().screen == "map")
        let sent = phone.stub.sent("POST /auth/register-device")
        #expect(sent.count == 2)
        #expect(sent[0].text == sent[1].text)
        let states = try await fixture.allSessions().map(\.state)
        #expect(states == [.active, .signedOut])
    }

    @Test func `MYS-64 a rejected token is deleted and replaced by a new one`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone("mystica-instant")
        phone.stub.script("POST /auth/register-device", Self.registered, Self.registered)
        _ = try await phone.launch()
        try await fixture.simulator.relaunch(phone.instance, isKill: false)
        phone.stub.script("GET /auth/me", Wire.error(401))
        let result = try await phone.launch()
        #expect(result == ActionResult(screen: "map", succeeded: true))
        #expect(phone.stub.sent("POST /auth/register-device").count == 2)
        let states = try await fixture.allSessions().map(\.state)
        #expect(states == [.active, .revoked])
    }

    @Test func `a server that rejects every token it issues causes no endless loop`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone("mystica-instant")
        phone.stub.always("POST /auth/register-device", Self.registered)
        phone.stub.always("GET /auth/me", Wire.error(401))
        _ = try await phone.launch()
        for _ in 0..<3 {
            try await fixture.simulator.relaunch(phone.instance, isKill: false)
            #expect(try await phone.launch().screen == "map")
        }
    }
}
