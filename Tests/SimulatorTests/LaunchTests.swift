import Core
import Support
import Testing
import Web

@testable import Simulator

/// Starts of the app: its launch table, and what a GET leads to.
@Suite(.timeLimit(.minutes(10))) struct LaunchTests {
    @Test func `MYS-30, MYS-50 a first start asks nobody and shows the login`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone()
        let before = try await phone.now
        #expect(before.screen == "splash")
        #expect(before.isLaunching)
        let splash = try #require(try await phone.open("splash").shown)
        #expect(splash.isLaunching)
        let result = try await phone.launch()
        #expect(result == ActionResult(screen: "login", succeeded: true))
        #expect(try await phone.open("login").shown?.screen == "login")
        #expect(phone.stub.requests.isEmpty)
        #expect(try await phone.now.session == nil)
    }

    @Test func `MYS-06 a stored session leads straight to the map`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        try await fixture.simulator.relaunch(phone.place, isKill: false)
        #expect(try await phone.now.isLaunching)
        phone.stub.script("GET /auth/me", Wire.me)
        let result = try await phone.launch()
        #expect(result == ActionResult(screen: "map", succeeded: true))
        let map = try #require(try await phone.open("map").shown)
        #expect(map.availableValues["user"]?["level"]?.int == 7)
        // The launch asked already, so the map does not ask again.
        #expect(phone.stub.sent("GET /auth/me").count == 1)
        #expect(phone.stub.sent("GET /auth/me")[0].bearer == Wire.token(1))
    }

    @Test func `a launch without network keeps the tokens and offers Retry`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        try await fixture.simulator.relaunch(phone.place, isKill: false)
        phone.stub.script("GET /auth/me", .failure(.connection), Wire.me)
        let stayed = try await phone.launch()
        #expect(stayed == ActionResult(screen: "splash", succeeded: false))
        let splash = try #require(try await phone.open("splash").shown)
        #expect(!splash.isLaunching)
        #expect(splash.failure?.message.hasPrefix("No internet") == true)
        #expect(try await phone.stored.count == 3)
        #expect(try await phone.open("login").redirected == "splash")
        let retried = try await phone.launch()
        #expect(retried == ActionResult(screen: "map", succeeded: true))
        #expect(try await phone.now.failure == nil)
    }

    @Test func `an account that is not verified is led from launch to verify`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        try await fixture.simulator.relaunch(phone.place, isKill: false)
        phone.stub.script("GET /auth/me", Wire.error(401, "email_not_verified"))
        let result = try await phone.launch()
        #expect(result.screen == "verify")
        let shown = try #require(try await phone.open("verify").shown)
        // The address is the token's: memory went with the cold start.
        #expect(shown.availableValues["email"]?.string == "rowan@mystica.app")
        #expect(shown.failure?.message == "Please verify your email")
        #expect(phone.stub.sent("POST /auth/refresh").isEmpty)
        // MYS-36
        try await fixture.simulator.relaunch(phone.place, isKill: false)
        phone.stub.script("GET /auth/me", Wire.me)
        #expect(try await phone.launch().screen == "map")
    }

    @Test func `MYS-24 a refresh that fails at launch clears and shows login`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        try await fixture.simulator.relaunch(phone.place, isKill: false)
        phone.stub.script("GET /auth/me", Wire.error(401))
        phone.stub.script("POST /auth/refresh", Wire.error(401))
        let result = try await phone.launch()
        #expect(result == ActionResult(screen: "login", succeeded: false))
        #expect(try await phone.stored.isEmpty)
        #expect(try await phone.now.failure?.message == "Session expired. Please login again.")
    }

    @Test func `two launches at once are one`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        try await fixture.simulator.relaunch(phone.place, isKill: false)
        let latch = Latch()
        phone.stub.script("GET /auth/me", .held(latch, Wire.me))
        async let first = phone.launch()
        async let second = phone.launch()
        #expect(try await eventually { try await phone.waiting("splash", "launch") == 2 })
        latch.open()
        #expect(try await first == second)
        #expect(phone.stub.sent("GET /auth/me").count == 1)
    }

    @Test func `an app that has left its splash is not started again`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        #expect(try await phone.launch() == ActionResult(screen: "map", succeeded: true))
        #expect(try await phone.open("splash").redirected == "map")
        #expect(phone.stub.sent("GET /auth/me").isEmpty)
    }

    @Test func `a form that signing in has left does not come back`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        #expect(try await phone.open("login").redirected == "map")
        #expect(try await phone.open("register").redirected == "map")
        let late = try await phone.login()
        #expect(late == ActionResult(screen: "map", succeeded: false))
        #expect(phone.stub.sent("POST /auth/login").count == 1)
    }

    @Test func `MYS-14 without a session forms open by address, others do not`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone()
        #expect(try await phone.open("register").shown?.screen == "register")
        #expect(try await phone.open("verify").shown?.screen == "verify")
        #expect(try await phone.open("map").redirected == "login")
        #expect(try await phone.open("settings").redirected == "login")
    }

    @Test func `showing the same screen again is no event`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone()
        _ = try await phone.open("login")
        let last = fixture.hub.lastID(in: "main")
        for _ in 0..<10 { _ = try await phone.open("login") }
        #expect(fixture.hub.lastID(in: "main") == last)
        #expect(try await phone.now.visits == [.init(screen: "login", count: 1)])
    }

    @Test func `another tab keeps the e-mail and drops what went wrong`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone()
        _ = try await phone.launch()
        phone.stub.script("POST /auth/login", Wire.error(401))
        _ = try await phone.login("a@b.cd", "abc")
        let register = try #require(try await phone.open("register").shown)
        #expect(register.failure == nil)
        #expect(register.fieldValues == ["email": "a@b.cd"])
        let visited = try await phone.now
        #expect(visited.transitions.map(\.to) == ["login", "register"])
        #expect(visited.lastTransition?.from == "login")
    }

    @Test func `another tab takes along what was typed and not sent`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone()
        _ = try await phone.launch()
        let typed = ["email": "a@b.cd", "password": "12345678", "x": "y"]
        #expect(
            try await fixture.simulator.switchTab(phone.place, to: "register", form: typed)
                == "register")
        #expect(try await phone.open("register").shown?.fieldValues == ["email": "a@b.cd"])
        #expect(
            try await fixture.simulator.switchTab(
                phone.place, to: "login", form: ["email": "c@d.ef"])
                == "login")
        #expect(try await phone.now.fieldValues == ["email": "c@d.ef"])
        // Only what stands beside it is a tab.
        _ = try await fixture.simulator.switchTab(phone.place, to: "verify", form: typed)
        _ = try await phone.open("login")
        #expect(try await phone.now.fieldValues["email"] != "a@b.cd")
        #expect(phone.stub.requests.isEmpty)
    }

    @Test func `a server's own words stay off the splash`() async throws {
        let phone = try await SimulatorFixture().phone().signedIn()
        try await phone.simulator.relaunch(phone.place, isKill: false)
        phone.stub.script(
            "GET /auth/me", Wire.error(500, "INTERNAL_ERROR", "at Layer.handle (x.js:95:5)"))
        #expect(try await phone.launch().screen == "splash")
        #expect(
            try await phone.now.failure?.message
                == "Something went wrong on the server. Please try again.")
        #expect(try await !phone.stored.isEmpty)
    }

    @Test func `a map asks who it is for once, however many look`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        let latch = Latch()
        phone.stub.script("GET /auth/me", .held(latch, Wire.me))
        async let first = phone.open("map")
        async let second = phone.open("map")
        #expect(await eventually { latch.waiting == 1 })
        latch.open()
        let shown = try await [first.shown, second.shown]
        #expect(shown.allSatisfy { $0?.availableValues["user"] != nil })
        #expect(phone.stub.sent("GET /auth/me").count == 1)
    }

    @Test func `a map without an answer is shown without it`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        phone.stub.script("GET /auth/me", .failure(.timeout))
        let map = try #require(try await phone.open("map").shown)
        #expect(map.availableValues["user"] == nil)
        #expect(map.failure == nil)
        #expect(try await phone.stored.count == 3)
    }
}
