import Core
import Support
import Testing
import Web

@testable import Simulator

/// Launches of an app, its launch table, and the screens that a GET opens.
@Suite(.timeLimit(.minutes(10))) struct LaunchTests {
    @Test func `MYS-30, MYS-50 a first launch sends no request and shows the login`() async throws {
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
        try await fixture.simulator.relaunch(phone.instance, isKill: false)
        #expect(try await phone.now.isLaunching)
        phone.stub.script("GET /auth/me", Wire.me)
        let result = try await phone.launch()
        #expect(result == ActionResult(screen: "map", succeeded: true))
        let map = try #require(try await phone.open("map").shown)
        #expect(map.availableValues["user"]?["level"]?.int == 7)
        // The launch loaded the user, so the map does not.
        #expect(phone.stub.sent("GET /auth/me").count == 1)
        #expect(phone.stub.sent("GET /auth/me")[0].bearer == Wire.token(1))
    }

    @Test func `a launch without a network keeps the tokens and can be retried`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        try await fixture.simulator.relaunch(phone.instance, isKill: false)
        phone.stub.script("GET /auth/me", .failure(.connection), Wire.me)
        let offline = try await phone.launch()
        #expect(offline == ActionResult(screen: "splash", succeeded: false))
        let splash = try #require(try await phone.open("splash").shown)
        #expect(!splash.isLaunching)
        #expect(splash.failure?.message.hasPrefix("No internet") == true)
        #expect(try await phone.stored.count == 3)
        #expect(try await phone.open("login").redirected == "splash")
        let retried = try await phone.launch()
        #expect(retried == ActionResult(screen: "map", succeeded: true))
        #expect(try await phone.now.failure == nil)
    }

    @Test func `a launch of an unverified account shows the verify screen`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        try await fixture.simulator.relaunch(phone.instance, isKill: false)
        phone.stub.script("GET /auth/me", Wire.error(401, "email_not_verified"))
        let result = try await phone.launch()
        #expect(result.screen == "verify")
        let shown = try #require(try await phone.open("verify").shown)
        // The address is from the token: the cold start cleared the memory.
        #expect(shown.availableValues["email"]?.string == "rowan@mystica.app")
        #expect(shown.failure?.message == "Please verify your email")
        #expect(phone.stub.sent("POST /auth/refresh").isEmpty)
        // MYS-36
        try await fixture.simulator.relaunch(phone.instance, isKill: false)
        phone.stub.script("GET /auth/me", Wire.me)
        #expect(try await phone.launch().screen == "map")
    }

    @Test func `MYS-24 a failed refresh at launch clears the tokens and shows the login`()
        async throws
    {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        try await fixture.simulator.relaunch(phone.instance, isKill: false)
        phone.stub.script("GET /auth/me", Wire.error(401))
        phone.stub.script("POST /auth/refresh", Wire.error(401))
        let result = try await phone.launch()
        #expect(result == ActionResult(screen: "login", succeeded: false))
        #expect(try await phone.stored.isEmpty)
        #expect(try await phone.now.failure?.message == "Session expired. Please login again.")
    }

    @Test func `two concurrent launches are one`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        try await fixture.simulator.relaunch(phone.instance, isKill: false)
        let latch = Latch()
        phone.stub.script("GET /auth/me", .held(latch, Wire.me))
        async let first = phone.launch()
        async let second = phone.launch()
        #expect(try await eventually { try await phone.waiterCount("splash", "launch") == 2 })
        latch.open()
        #expect(try await first == second)
        #expect(phone.stub.sent("GET /auth/me").count == 1)
    }

    @Test func `an app past its splash screen is not launched again`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        #expect(try await phone.launch() == ActionResult(screen: "map", succeeded: true))
        #expect(try await phone.open("splash").redirected == "map")
        #expect(phone.stub.sent("GET /auth/me").isEmpty)
    }

    @Test func `a signed-in app redirects from its sign-in forms`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        #expect(try await phone.open("login").redirected == "map")
        #expect(try await phone.open("register").redirected == "map")
        let result = try await phone.login()
        #expect(result == ActionResult(screen: "map", succeeded: false))
        #expect(phone.stub.sent("POST /auth/login").count == 1)
    }

    @Test func `MYS-14 without a session only forms can be opened by URL`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone()
        #expect(try await phone.open("register").shown?.screen == "register")
        #expect(try await phone.open("verify").shown?.screen == "verify")
        #expect(try await phone.open("map").redirected == "login")
        #expect(try await phone.open("settings").redirected == "login")
    }

    @Test func `showing the same screen again publishes no event`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone()
        _ = try await phone.open("login")
        let last = fixture.hub.lastID(in: "main")
        for _ in 0..<10 { _ = try await phone.open("login") }
        #expect(fixture.hub.lastID(in: "main") == last)
        #expect(try await phone.now.visits == [.init(screen: "login", count: 1)])
    }

    @Test func `opening the other tab keeps the email and clears the error`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone()
        _ = try await phone.launch()
        phone.stub.script("POST /auth/login", Wire.error(401))
        _ = try await phone.login("a@b.cd", "abc")
        let register = try #require(try await phone.open("register").shown)
        #expect(register.failure == nil)
        #expect(register.fieldValues == ["email": "a@b.cd"])
        let now = try await phone.now
        #expect(now.transitions.map(\.to) == ["login", "register"])
        #expect(now.lastTransition?.from == "login")
    }

    @Test func `switching tabs keeps the email that was typed but not sent`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone()
        _ = try await phone.launch()
        let typed = ["email": "a@b.cd", "password": "12345678", "x": "y"]
        #expect(
            try await fixture.simulator.switchTab(phone.instance, to: "register", form: typed)
                == "register")
        #expect(try await phone.open("register").shown?.fieldValues == ["email": "a@b.cd"])
        #expect(
            try await fixture.simulator.switchTab(
                phone.instance, to: "login", form: ["email": "c@d.ef"])
                == "login")
        #expect(try await phone.now.fieldValues == ["email": "c@d.ef"])
        // The verify screen is not a tab, so the typed form is not kept.
        _ = try await fixture.simulator.switchTab(phone.instance, to: "verify", form: typed)
        _ = try await phone.open("login")
        #expect(try await phone.now.fieldValues["email"] != "a@b.cd")
        #expect(phone.stub.requests.isEmpty)
    }

    @Test func `a server's error message is not shown on the splash screen`() async throws {
        let phone = try await SimulatorFixture().phone().signedIn()
        try await phone.simulator.relaunch(phone.instance, isKill: false)
        phone.stub.script(
            "GET /auth/me", Wire.error(500, "INTERNAL_ERROR", "at Layer.handle (x.js:95:5)"))
        #expect(try await phone.launch().screen == "splash")
        #expect(
            try await phone.now.failure?.message
                == "Something went wrong on the server. Please try again.")
        #expect(try await !phone.stored.isEmpty)
    }

    @Test func `a map opened twice at once loads its user once`() async throws {
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

    @Test func `a map whose request fails is shown without its user, and says why`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        phone.stub.script("GET /auth/me", .failure(.timeout))
        let map = try #require(try await phone.open("map").shown)
        #expect(map.availableValues["user"] == nil)
        #expect(map.failure?.message == "The request timed out. Please try again.")
        #expect(try await phone.stored.count == 3)
    }
}
