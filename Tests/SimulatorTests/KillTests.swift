import Core
import Support
import Synchronization
import Testing
import Web

@testable import Simulator

/// Apps that are killed while something is under way.
@Suite(.timeLimit(.minutes(10))) struct KillTests {
    private let typed = ["email": "a@b.cd", "password": "12345678"]

    @Test func `MYS-23 killed after the request left, the device knows nothing`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone()
        _ = try await phone.launch()
        let latch = Latch()
        phone.stub.script(
            "POST /auth/register", .held(latch, Wire.session(Wire.token(1), "refresh-token-1")))
        async let registering = phone.act("register", "submit", typed)
        #expect(await eventually { latch.waiting == 1 })
        try await fixture.simulator.killDuringAction(phone.place)
        #expect(try await phone.now.isLaunching)
        latch.open()
        #expect(try await registering == ActionResult(screen: "splash", succeeded: false))
        #expect(try await phone.stored.isEmpty)
        #expect(try await fixture.allSessions().isEmpty)
        #expect(fixture.events(.appKilled).last?.details["dropped"] == "register")
        #expect(try await phone.launch().screen == "login")
        #expect(try await phone.open("login").shown?.fieldValues.isEmpty == true)
        phone.stub.script("POST /auth/login", Wire.session(Wire.token(2), "refresh-2"))
        #expect(try await phone.login().screen == "map")
    }

    @Test func `a kill in the next submit waits for a form's`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        _ = try await phone.open("settings")
        try await fixture.simulator.setKillOnNextSubmit(phone.place)
        phone.stub.script("POST /auth/logout", .json(200, "{}"))
        #expect(
            try await phone.act("settings", "logout")
                == ActionResult(screen: "login", succeeded: true))
        #expect(try await phone.now.willKillOnNextSubmit)
        phone.stub.script("POST /auth/register", Wire.session(Wire.token(2), "refresh-token-2"))
        #expect(
            try await phone.act("register", "submit", typed)
                == ActionResult(screen: "splash", succeeded: false))
        #expect(try await phone.stored.isEmpty)
    }

    @Test func `a form's next submit can be told to be the app's last`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone()
        _ = try await phone.launch()
        try await fixture.simulator.setKillOnNextSubmit(phone.place)
        phone.stub.script("POST /auth/register", Wire.session(Wire.token(1), "refresh-token-1"))
        let result = try await phone.act("register", "submit", typed)
        #expect(result == ActionResult(screen: "splash", succeeded: false))
        #expect(phone.stub.requests.count == 1)
        #expect(try await phone.stored.isEmpty)
        #expect(try await phone.launch().screen == "login")
    }

    @Test func `a kill that waits is told, shown and called off`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone()
        _ = try await phone.launch()
        try await fixture.simulator.setKillOnNextSubmit(phone.place)
        try await fixture.simulator.setKillOnNextSubmit(phone.place)
        #expect(try await fixture.simulator.status(phone.place).willKillOnNextSubmit)
        #expect(
            fixture.events(.deviceChanged).map(\.title).filter { $0.contains("next submit") }.count
                == 1)
        try await fixture.simulator.setKillOnNextSubmit(phone.place, isArmed: false)
        #expect(try await !fixture.simulator.status(phone.place).willKillOnNextSubmit)
        phone.stub.script("POST /auth/login", Wire.session(Wire.token(1), "refresh-1"))
        #expect(try await phone.login().screen == "map")
    }

    /// A page that hears of it asks at once, and hears of nothing more.
    @Test func `who hears of a cold start sees no kill that waits`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone()
        _ = try await phone.launch()
        try await fixture.simulator.setKillOnNextSubmit(phone.place)
        let seen = Mutex<[Bool]>([])
        fixture.hub.observe { [cupboard = fixture.simulator.stateStore] _ in
            let waits = cupboard.updateTransient(phone.place) { $0.willKillOnNextSubmit }
            seen.withLock { $0.append(waits == true) }
        }
        try await fixture.simulator.relaunch(phone.place, isKill: false)
        let waits = seen.withLock(\.self)
        #expect(!waits.isEmpty && !waits.contains(true))
    }

    @Test func `a new run of the app does not join what the dead one began`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone()
        _ = try await phone.launch()
        let latch = Latch()
        phone.stub.script(
            "POST /auth/login", .held(latch, Wire.session(Wire.token(1), "refresh-token-1")),
            Wire.session(Wire.token(2), "refresh-2"))
        async let dead = phone.login()
        #expect(await eventually { latch.waiting == 1 })
        try await fixture.simulator.relaunch(phone.place, isKill: true)
        _ = try await phone.launch()
        #expect(try await phone.login().screen == "map")
        latch.open()
        #expect(try await dead.succeeded == false)
        #expect(try await phone.stored["mystica_access_token"] == Wire.token(2))
    }

    @Test func `a refresh that comes home to a dead app is lost`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        let latch = Latch()
        phone.stub.script("GET /auth/me", Wire.error(401))
        phone.stub.script(
            "POST /auth/refresh", .held(latch, Wire.refreshed(Wire.token(2), "refresh-2")))
        async let map = phone.open("map")
        #expect(await eventually { latch.waiting == 1 })
        try await fixture.simulator.relaunch(phone.place, isKill: true)
        latch.open()
        #expect(try await map.redirected == "splash")
        #expect(try await phone.stored["mystica_refresh_token"] == "refresh-token-1")
    }

    @Test func `a cold start forgets what was only in memory`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone()
        _ = try await phone.launch()
        phone.stub.script("POST /auth/login", Wire.error(401))
        _ = try await phone.login()
        try await fixture.simulator.relaunch(phone.place, isKill: false)
        let now = try await phone.now
        #expect(now.failure == nil)
        #expect(now.fieldValues.isEmpty)
        #expect(now.availableValues.isEmpty)
        #expect(fixture.events(.appLaunched).count == 2)
        #expect(fixture.events(.appKilled).isEmpty)
    }

    @Test func `a browser that goes away leaves its submit to finish`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone()
        _ = try await phone.launch()
        let latch = Latch()
        phone.stub.script(
            "POST /auth/login", .held(latch, Wire.session(Wire.token(1), "refresh-token-1")))
        let request = Task { try await phone.login() }
        #expect(await eventually { latch.waiting == 1 })
        request.cancel()
        latch.open()
        #expect(try await eventually { try await phone.screen == "map" })
        #expect(try await phone.stored.count == 3)
    }

    @Test func `a toast is shown by one of two pages`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone()
        _ = try await phone.open("verify")
        phone.stub.script("POST /auth/resend-verification", .json(200, "{}"))
        _ = try await phone.act("verify", "resend")
        async let first = phone.open("verify")
        async let second = phone.open("verify")
        let toasts = try await [first.shown?.toast, second.shown?.toast]
        #expect(toasts.compactMap(\.self) == ["Verification email sent"])
    }
}
