import Support
import Testing
import Web

@testable import Simulator

/// Signing out.
@Suite(.timeLimit(.minutes(10))) struct LogoutTests {
    @Test func `MYS-09, MYS-10, MYS-11 logout calls the backend and clears the device`()
        async throws
    {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        phone.stub.script("GET /auth/me", Wire.me)
        _ = try await phone.open("map")
        #expect(try await phone.open("settings").shown?.screen == "settings")
        phone.stub.script("POST /auth/logout", .json(200, "{}"))
        let result = try await phone.act("settings", "logout")
        #expect(result == ActionResult(screen: "login", succeeded: true))
        #expect(try await phone.stored.isEmpty)
        for call in ["GET /auth/me", "POST /auth/logout"] {
            #expect(phone.stub.sent(call).map(\.bearer) == [Wire.token(1)])
        }
        let session = try #require(try await fixture.allSessions().first)
        #expect(session.state == .signedOut)
        try await fixture.simulator.relaunch(phone.instance, isKill: false)
        #expect(try await phone.launch().screen == "login")
        #expect(try await phone.now.availableValues["email"] == nil)
    }

    @Test(arguments: [
        Wire.error(500), .failure(.connection), .failure(.timeout), .json(200, "garbage"),
    ]) func `MYS-38 logout succeeds whatever the backend responds`(_ reply: StubTransport.Reply)
        async throws
    {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        _ = try await openSettings(phone)
        phone.stub.script("POST /auth/logout", reply)
        let result = try await phone.act("settings", "logout")
        #expect(result == ActionResult(screen: "login", succeeded: true))
        #expect(try await phone.stored.isEmpty)
        #expect(try await phone.now.failure == nil)
    }

    @Test func `MYS-37 an unconfirmed logout sends nothing`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        _ = try await openSettings(phone)
        let sent = phone.stub.requests.count
        _ = try await phone.open("settings")
        #expect(phone.stub.requests.count == sent)
        #expect(try await phone.now.session != nil)
    }

    @Test func `MYS-52 after logout the signed-in screens cannot be opened`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        _ = try await openSettings(phone)
        phone.stub.script("POST /auth/logout", .json(200, "{}"))
        _ = try await phone.act("settings", "logout")
        #expect(try await phone.open("settings").redirected == "login")
        #expect(try await phone.open("map").redirected == "login")
        let secondResult = try await phone.act("settings", "logout")
        #expect(secondResult == ActionResult(screen: "login", succeeded: false))
        #expect(phone.stub.sent("POST /auth/logout").count == 1)
    }

    @Test func `a logout with an expired token is repeated after a refresh`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        _ = try await openSettings(phone)
        phone.stub.script("POST /auth/logout", Wire.error(401), .json(200, "{}"))
        phone.stub.script("POST /auth/refresh", Wire.refreshed(Wire.token(2), "refresh-2"))
        let result = try await phone.act("settings", "logout")
        #expect(result == ActionResult(screen: "login", succeeded: true))
        #expect(
            phone.stub.sent("POST /auth/logout").map(\.bearer) == [Wire.token(1), Wire.token(2)])
        #expect(try await phone.stored.isEmpty)
    }

    @Test func `signing out a session does what the app's logout does`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        let id = try #require(try await phone.now.session?.id)
        phone.stub.script("POST /auth/logout", .json(200, "{}"))
        try await fixture.simulator.signOut(session: id, in: "main")
        #expect(try await phone.screen == "login")
        #expect(try await phone.stored.isEmpty)
        #expect(phone.stub.sent("POST /auth/logout").count == 1)
        await #expect(throws: Problem.self) {
            try await fixture.simulator.signOut(session: id, in: "main")
        }
    }

    private func openSettings(_ phone: Phone) async throws -> AppStatus? {
        try await phone.open("settings").shown
    }
}
