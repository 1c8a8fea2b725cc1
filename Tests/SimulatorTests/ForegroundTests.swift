import Core
import Support
import Testing
import Traffic
import Web

@testable import Simulator

/// Calls that load a screen while the app is in use.
@Suite(.timeLimit(.minutes(10))) struct ForegroundTests {
    private func call(level: Int) -> StubTransport.Reply {
        .json(200, #"{"id":"usr-1","email":"rowan@mystica.app","level":\#(level)}"#)
    }

    /// Signed in, with the map loaded.
    private func phoneOnMap(_ fixture: SimulatorFixture) async throws -> Phone {
        let phone = try await fixture.phone().signedIn()
        phone.stub.script("GET /auth/me", call(level: 1))
        #expect(try await phone.level(of: phone.open("map")) == 1)
        return phone
    }

    /// How the user makes the app load its screen again.
    enum Trigger: CaseIterable {
        case opened, reloaded, refreshed, foreground

        func act(on phone: Phone) async throws -> ScreenResult {
            let simulator = phone.simulator
            switch self {
            case .opened:
                _ = try await phone.open("settings")
                return try await phone.open("map")
            case .reloaded:
                return try await simulator.openScreen(
                    phone.instance, screen: "map", isReload: true)
            case .refreshed:
                let screen = try await simulator.refreshScreen(phone.instance, screen: "map")
                return try await phone.open(screen)
            case .foreground:
                try await simulator.enterBackground(phone.instance)
                try await simulator.enterForeground(phone.instance)
                return try await phone.open(phone.screen)
            }
        }
    }

    @Test(arguments: Trigger.allCases) func `the screen loads again, once`(_ trigger: Trigger)
        async throws
    {
        let fixture = try await SimulatorFixture()
        let phone = try await phoneOnMap(fixture)
        phone.stub.script("GET /auth/me", call(level: 2))
        #expect(try await phone.level(of: trigger.act(on: phone)) == 2)
        #expect(try await phone.level(of: phone.open("map")) == 2)
        #expect(phone.stub.sent("GET /auth/me").count == 2)
    }

    @Test(arguments: Trigger.allCases)
    func `an access token that died meanwhile is refreshed silently`(_ trigger: Trigger)
        async throws
    {
        let fixture = try await SimulatorFixture()
        let phone = try await phoneOnMap(fixture)
        phone.stub.script("GET /auth/me", Wire.error(401), call(level: 2))
        phone.stub.script("POST /auth/refresh", Wire.refreshed(Wire.token(2), "refresh-2"))
        let map = try await trigger.act(on: phone)
        #expect(try phone.level(of: map) == 2)
        #expect(map.shown?.failure == nil)
        #expect(try await phone.stored["mystica_refresh_token"] == "refresh-2")
    }

    @Test(arguments: Trigger.allCases)
    func `a session that died meanwhile leads to the login with its message`(_ trigger: Trigger)
        async throws
    {
        let fixture = try await SimulatorFixture()
        let phone = try await phoneOnMap(fixture)
        phone.stub.script("GET /auth/me", Wire.error(401))
        phone.stub.script("POST /auth/refresh", Wire.error(401))
        _ = try await trigger.act(on: phone)
        let login = try #require(try await phone.open("login").shown)
        #expect(login.failure?.message == "Session expired. Please login again.")
        #expect(try await phone.stored.isEmpty)
    }

    @Test(arguments: [
        (
            StubTransport.Reply.failure(.nameLookup),
            "No internet connection. Please check your network and try again."
        ),
        (.failure(.timeout), "The request timed out. Please try again."),
        (Wire.error(500), "Something went wrong on the server. Please try again."),
    ]) func `a load that fails keeps what the screen shows and says why, and is not repeated`(
        _ reply: StubTransport.Reply, message: String
    ) async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await phoneOnMap(fixture)
        phone.stub.script("GET /auth/me", reply)
        let map = try await Trigger.refreshed.act(on: phone)
        #expect(try phone.level(of: map) == 1)
        #expect(map.shown?.failure?.message == message)
        _ = try await phone.open("map")
        #expect(phone.stub.sent("GET /auth/me").count == 2)
        phone.stub.script("GET /auth/me", call(level: 2))
        #expect(try await Trigger.refreshed.act(on: phone).shown?.failure == nil)
    }

    @Test func `a failure whose row leads to another screen does so`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await phoneOnMap(fixture)
        phone.stub.script("GET /auth/me", Wire.error(403, "email_not_verified"))
        #expect(try await Trigger.refreshed.act(on: phone).shown?.screen == "verify")
        #expect(try await phone.now.failure?.message == "Please verify your email")
    }

    @Test func `a request that follows a form's redirect is no reload`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await phoneOnMap(fixture)
        phone.simulator.expectRedirect(phone.instance)
        let map = try await Trigger.reloaded.act(on: phone)
        #expect(try phone.level(of: map) == 1)
        #expect(phone.stub.sent("GET /auth/me").count == 1)
    }

    @Test func `what a launch or a sign-in has just loaded is not loaded again`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await phoneOnMap(fixture)
        try await fixture.simulator.relaunch(phone.instance, isKill: false)
        phone.stub.script("GET /auth/me", call(level: 2))
        _ = try await phone.launch()
        #expect(try await phone.level(of: phone.open("map")) == 2)
        #expect(phone.stub.sent("GET /auth/me").count == 2)
    }

    @Test func `in the background the app makes no calls, until a cold start`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await phoneOnMap(fixture)
        try await fixture.simulator.enterBackground(phone.instance)
        try await fixture.simulator.enterBackground(phone.instance)
        #expect(try await phone.now.isInBackground)
        for trigger in [Trigger.opened, .reloaded, .refreshed] {
            #expect(try await phone.level(of: trigger.act(on: phone)) == 1)
        }
        #expect(phone.stub.sent("GET /auth/me").count == 1)
        #expect(fixture.events(.appBackgrounded).count == 1)
        try await fixture.simulator.relaunch(phone.instance, isKill: false)
        #expect(try await !phone.now.isInBackground)
        #expect(fixture.events(.appForegrounded).isEmpty)
    }

    @Test func `an action of the console opens an app in the background`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await phoneOnMap(fixture)
        let id = try #require(try await phone.now.session?.id)
        try await fixture.simulator.enterBackground(phone.instance)
        phone.stub.always("POST /auth/logout", .json(200, "{}"))
        phone.stub.always("GET /auth/me", call(level: 2))
        try await fixture.simulator.signOut(session: id, in: "main")
        #expect(try await !phone.now.isInBackground)
        #expect(try await phone.stored.isEmpty)
    }

    @Test func `the return to the foreground causes the loads`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await phoneOnMap(fixture)
        phone.stub.script("GET /auth/me", call(level: 2))
        _ = try await Trigger.foreground.act(on: phone)
        let event = try #require(fixture.events(.appForegrounded).first)
        #expect(fixture.events(.exchangeEnded).last?.cause == event.id)
    }
}

extension Phone {
    /// The level that the map shows.
    fileprivate func level(of result: ScreenResult) throws -> Int? {
        try #require(result.shown).availableValues["user"]?["level"]?.int.map { Int($0) }
    }
}
