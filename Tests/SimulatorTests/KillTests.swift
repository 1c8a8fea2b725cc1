import Core
import Support
import Synchronization
import Testing
import Web

@testable import Simulator

/// Apps that are killed during an action.
@Suite(.timeLimit(.minutes(10))) struct KillTests {
    private let typed = ["email": "a@b.cd", "password": "12345678"]

    @Test func `MYS-23 an app killed after sending a registration stores nothing`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone()
        _ = try await phone.launch()
        let latch = Latch()
        phone.stub.script(
            "POST /auth/register", .held(latch, Wire.session(Wire.token(1), "refresh-token-1")))
        async let registering = phone.act("register", "submit", typed)
        #expect(await eventually { latch.waiting == 1 })
        try await fixture.simulator.relaunch(phone.instance, isKill: true)
        #expect(try await phone.now.isLaunching)
        latch.open()
        #expect(try await registering == ActionResult(screen: "splash", succeeded: false))
        #expect(try await phone.stored.isEmpty)
        #expect(try await fixture.allSessions().isEmpty)
        #expect(fixture.events(.appKilled).last?.details["canceledCall"] == "register")
        #expect(try await phone.launch().screen == "login")
        #expect(try await phone.open("login").shown?.fieldValues.isEmpty == true)
        phone.stub.script("POST /auth/login", Wire.session(Wire.token(2), "refresh-2"))
        #expect(try await phone.login().screen == "map")
    }

    @Test func `a kill on the next submit ignores actions that are no submit`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        _ = try await phone.open("settings")
        try await fixture.simulator.setKillOnNextSubmit(phone.instance)
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

    @Test func `a kill can be set for the next submit of a form`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone()
        _ = try await phone.launch()
        try await fixture.simulator.setKillOnNextSubmit(phone.instance)
        phone.stub.script("POST /auth/register", Wire.session(Wire.token(1), "refresh-token-1"))
        let result = try await phone.act("register", "submit", typed)
        #expect(result == ActionResult(screen: "splash", succeeded: false))
        #expect(phone.stub.requests.count == 1)
        #expect(try await phone.stored.isEmpty)
        #expect(try await phone.launch().screen == "login")
    }

    @Test func `of a killed app's action the later calls are not sent`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone("clarity")
        _ = try await phone.launch()
        try await fixture.simulator.setKillOnNextSubmit(phone.instance)
        phone.stub.script(FirebaseWire.signUp, FirebaseWire.session(1))
        #expect(try await !phone.act("register", "submit", FirebaseWire.form).succeeded)
        #expect(phone.stub.requests.count == 1)
        #expect(fixture.events(.appKilled).last?.details["canceledCall"] == "createUser")
    }

    @Test func `a pending kill is published, shown and can be canceled`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone()
        _ = try await phone.launch()
        try await fixture.simulator.setKillOnNextSubmit(phone.instance)
        try await fixture.simulator.setKillOnNextSubmit(phone.instance)
        #expect(try await fixture.simulator.status(phone.instance).willKillOnNextSubmit)
        #expect(
            fixture.events(.deviceChanged).map(\.title).filter { $0.contains("will crash") }.count
                == 1)
        try await fixture.simulator.setKillOnNextSubmit(phone.instance, isArmed: false)
        #expect(try await !fixture.simulator.status(phone.instance).willKillOnNextSubmit)
        phone.stub.script("POST /auth/login", Wire.session(Wire.token(1), "refresh-1"))
        #expect(try await phone.login().screen == "map")
    }

    /// A page requests the status on this event, and gets no later event.
    @Test func `no pending kill is visible when a cold start is published`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone()
        _ = try await phone.launch()
        try await fixture.simulator.setKillOnNextSubmit(phone.instance)
        let observed = Mutex<[Bool]>([])
        fixture.hub.observe { [stateStore = fixture.simulator.stateStore] _ in
            let isPending = stateStore.updateTransient(phone.instance) { $0.willKillOnNextSubmit }
            observed.withLock { $0.append(isPending == true) }
        }
        try await fixture.simulator.relaunch(phone.instance, isKill: false)
        let isPending = observed.withLock(\.self)
        #expect(!isPending.isEmpty && !isPending.contains(true))
    }

    @Test func `a relaunched app does not join an action of the killed one`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone()
        _ = try await phone.launch()
        let latch = Latch()
        phone.stub.script(
            "POST /auth/login", .held(latch, Wire.session(Wire.token(1), "refresh-token-1")),
            Wire.session(Wire.token(2), "refresh-2"))
        async let killedLogin = phone.login()
        #expect(await eventually { latch.waiting == 1 })
        try await fixture.simulator.relaunch(phone.instance, isKill: true)
        _ = try await phone.launch()
        #expect(try await phone.login().screen == "map")
        latch.open()
        #expect(try await killedLogin.succeeded == false)
        #expect(try await phone.stored["mystica_access_token"] == Wire.token(2))
    }

    @Test func `a refresh whose app was killed meanwhile is discarded`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        let latch = Latch()
        phone.stub.script("GET /auth/me", Wire.error(401))
        phone.stub.script(
            "POST /auth/refresh", .held(latch, Wire.refreshed(Wire.token(2), "refresh-2")))
        async let map = phone.open("map")
        #expect(await eventually { latch.waiting == 1 })
        try await fixture.simulator.relaunch(phone.instance, isKill: true)
        latch.open()
        #expect(try await map.redirected == "splash")
        #expect(try await phone.stored["mystica_refresh_token"] == "refresh-token-1")
    }

    @Test func `a cold start clears in-memory state`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone()
        _ = try await phone.launch()
        phone.stub.script("POST /auth/login", Wire.error(401))
        _ = try await phone.login()
        try await fixture.simulator.relaunch(phone.instance, isKill: false)
        let now = try await phone.now
        #expect(now.failure == nil)
        #expect(now.fieldValues.isEmpty)
        #expect(now.availableValues.isEmpty)
        #expect(fixture.events(.appLaunched).count == 2)
        #expect(fixture.events(.appKilled).isEmpty)
    }

    @Test func `a submit finishes after its browser disconnects`() async throws {
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

    @Test func `a toast is shown on only one of two pages`() async throws {
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
