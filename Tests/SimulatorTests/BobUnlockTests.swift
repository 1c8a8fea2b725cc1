import Apps
import Core
import FoundationEssentials
import Support
import Testing
import Traffic
import Web

@testable import Simulator

/// Bob's tokens behind the sensor, its onboarding, and its settings.
@Suite(.timeLimit(.minutes(10))) struct BobUnlockTests {
    private static func session(_ expires: Double) -> StubTransport.Reply {
        .json(
            200,
            #"""
            {"user":{"id":"u1","email":"bob@example.com"},
             "tokens":{"access_token":"\#(Wire.token(1, expires: expires))",
                       "refresh_token":"refresh-token-1","expires_in":3600}}
            """#)
    }

    private func start() async throws -> (SimulatorFixture, Phone) {
        let fixture = try await SimulatorFixture(skippingSleeps: true)
        let phone = try await fixture.phone("bob")
        try await setSensor(phone, .init(kind: .faceID))
        _ = try await phone.launch()
        return (fixture, phone)
    }

    private func setSensor(_ phone: Phone, _ sensor: Device.Biometrics) async throws {
        _ = try await phone.simulator.updateDevice(phone.instance.device, in: "main") {
            $0.biometrics = sensor
        }
    }

    private func signIn(_ phone: Phone, expires: Double = 3_600) async throws {
        phone.stub.script("POST /auth/login", Self.session(expires))
        let result = try await phone.login("bob@example.com", "sparrow-9!")
        #expect(result == ActionResult(screen: "projects", succeeded: true))
    }

    private func set(_ setting: String, _ field: String, _ isOn: Bool, _ phone: Phone)
        async throws
    {
        _ = try await phone.open("settings")
        let result = try await phone.act("settings", setting, [field: isOn ? "on" : "off"])
        #expect(result == ActionResult(screen: "settings", succeeded: true))
    }

    private func relaunch(_ phone: Phone) async throws -> String {
        try await phone.simulator.relaunch(phone.instance, isKill: false)
        return try await phone.launch().screen
    }

    private func unlock(_ phone: Phone, _ result: Device.Biometrics.Result) async throws
        -> ActionResult
    {
        try await phone.simulator.runAction(
            phone.instance, screen: "unlock", action: "unlock", form: [:], sensor: result)
    }

    private func lockedKeys(_ phone: Phone) async throws -> [String] {
        try await phone.simulator.storageItems(phone.instance).filter(\.isLocked).map(\.key)
    }

    /// A signed-in app with Biometric Authentication on, after a cold start.
    private func lockedPhone() async throws -> (SimulatorFixture, Phone) {
        let (fixture, phone) = try await start()
        try await signIn(phone)
        try await set("biometrics", "biometricEnabled", true, phone)
        // Turned on, it concerns the next start.
        #expect(try await lockedKeys(phone).isEmpty)
        #expect(try await phone.open("projects").shown != nil)
        #expect(try await relaunch(phone) == "unlock")
        return (fixture, phone)
    }

    // MARK: The lock

    @Test func `BOB-55 a cold start locks the tokens until the sensor matched`() async throws {
        let (_, phone) = try await lockedPhone()
        #expect(try await lockedKeys(phone) == ["access_token", "refresh_token"])
        // The inspector still sees what the app cannot read.
        #expect(try await phone.stored["access_token"] == Wire.token(1))
        for screen in ["projects", "settings"] {
            #expect(try await phone.open(screen).redirected == "unlock")
        }
        #expect(
            try await unlock(phone, .noMatch) == ActionResult(screen: "unlock", succeeded: false))
        #expect(
            try await phone.now.failure
                == .init(
                    message: "Biometric authentication failed", title: "Login Error",
                    presentation: .alert))
        #expect(
            try await unlock(phone, .cancel) == ActionResult(screen: "unlock", succeeded: false))
        #expect(try await phone.open("projects").redirected == "unlock")
        #expect(try await unlock(phone, .match) == ActionResult(screen: "splash", succeeded: true))
        #expect(try await phone.launch().screen == "projects")
        #expect(try await lockedKeys(phone).isEmpty)
        // Only the login was sent.
        #expect(phone.stub.requests.count == 1)
        #expect(try await relaunch(phone) == "unlock")
    }

    @Test func `BOB-55 an unlocked app refreshes an expired token before it goes on`()
        async throws
    {
        let (fixture, phone) = try await lockedPhone()
        fixture.frozen.advance(by: 4_000)
        phone.stub.script(
            "POST /auth/refresh", Wire.refreshed(Wire.token(2, expires: 9_999), "refresh-token-2"))
        #expect(try await unlock(phone, .match).succeeded)
        #expect(try await phone.launch().screen == "projects")
        #expect(try await phone.stored["refresh_token"] == "refresh-token-2")
        #expect(try await lockedKeys(phone).isEmpty)
    }

    @Test func `BOB-56 the password gives the locked session up`() async throws {
        let (_, phone) = try await lockedPhone()
        #expect(
            try await phone.act("unlock", "password")
                == ActionResult(screen: "login", succeeded: true))
        #expect(try await phone.stored.keys.sorted() == ["biometric_enabled"])
        #expect(phone.stub.sent("POST /auth/logout").isEmpty)
        try await signIn(phone)
        #expect(try await phone.open("settings").shown != nil)
        #expect(try await lockedKeys(phone) == ["saved_credentials"])
    }

    @Test func `BOB-57 without its sensor the locked session is a missing one`() async throws {
        let (_, phone) = try await lockedPhone()
        try await setSensor(phone, .init(kind: .faceID, isEnrolled: false))
        // Neither had been there before the sign-in.
        #expect(try await phone.open("projects").redirected == "onboarding")
        #expect(try await relaunch(phone) == "onboarding")
        await refused(409, "action-unavailable") { try await unlock(phone, .match) }
        // A sign-in replaces what nothing can read.
        try await signIn(phone)
        #expect(try await phone.open("projects").shown != nil)
    }

    @Test func `BOB-58 without consent a cold start locks nothing`() async throws {
        let (_, phone) = try await start()
        try await signIn(phone)
        #expect(try await relaunch(phone) == "projects")
        try await set("biometrics", "biometricEnabled", true, phone)
        try await set("biometrics", "biometricEnabled", false, phone)
        #expect(try await relaunch(phone) == "projects")
        #expect(try await lockedKeys(phone).isEmpty)
    }

    @Test func `the console cannot refresh or end a locked session`() async throws {
        let (_, phone) = try await lockedPhone()
        let session = try #require(try await phone.now.session)
        await refused(409, "session-locked") {
            try await phone.simulator.refresh(session: session.id, in: "main")
        }
        await refused(409, "session-locked") {
            try await phone.simulator.signOut(session: session.id, in: "main")
        }
        #expect(try await phone.now.session?.endedAt == nil)
        #expect(phone.stub.requests.count == 1)
    }

    @Test func `a restored state is as locked as it was`() async throws {
        let (fixture, phone) = try await lockedPhone()
        func takeSnapshot() async throws -> Snapshot {
            try await fixture.simulator.takeSnapshot(
                fixture.simulator.world.makeID("snap"), name: "Bob",
                ofDevice: phone.instance.device, app: nil, contracts: [], in: "main"
            ) {}
        }
        let locked = try await takeSnapshot()
        #expect(try await unlock(phone, .match).succeeded)
        #expect(try await phone.launch().screen == "projects")
        let unlocked = try await takeSnapshot()
        try await fixture.simulator.restore(locked) {}
        #expect(try await phone.open("projects").redirected == "unlock")
        try await fixture.simulator.restore(unlocked) {}
        #expect(try await phone.open("projects").shown != nil)
    }

    // MARK: Onboarding

    @Test(arguments: [["onboarding", "skip"], ["trackRFIs", "skip"], ["collaborate", "start"]])
    func `BOB-59 the onboarding is shown once per installation`(last: [String]) async throws {
        let (_, phone) = try await start()
        #expect(try await phone.now.screen == "onboarding")
        #expect(try await relaunch(phone) == "onboarding")
        #expect(
            try await phone.act(last[0], last[1]) == ActionResult(screen: "login", succeeded: true))
        #expect(try await relaunch(phone) == "login")
        try await signIn(phone)
        _ = try await phone.open("settings")
        phone.stub.always("POST /auth/logout", .json(200, ""))
        #expect(try await phone.act("settings", "signOut").screen == "login")
        #expect(try await relaunch(phone) == "login")
        try await phone.simulator.clearStorage(phone.instance)
        #expect(try await relaunch(phone) == "onboarding")
    }

    // MARK: Settings

    @Test func `BOB-60 in Offline Mode nothing is sent, until it is off or the user signs out`()
        async throws
    {
        let (fixture, phone) = try await start()
        _ = try await phone.launch(with: "nest")
        try await signIn(phone)
        phone.stub.always("GET /auth/me", .json(200, #"{"id":"u1","email":"bob@example.com"}"#))
        try await set("offline", "offlineMode", true, phone)
        let sent = phone.stub.requests.count
        #expect(
            try await phone.simulator.refreshScreen(phone.instance, screen: "settings")
                == "settings")
        // An expired token ends nothing: no server rejects it.
        fixture.frozen.advance(by: 4_000)
        #expect(try await relaunch(phone) == "projects")
        #expect(try await phone.open("settings").shown?.availableValues["user"] != nil)
        #expect(phone.stub.requests.count == sent)
        #expect(try await phone.act("settings", "signOut").screen == "login")
        #expect(phone.stub.requests.count == sent)
        #expect(try await phone.stored.isEmpty)
        // Signed out, the app is online again.
        try await signIn(phone, expires: 99_999)
        try await set("offline", "offlineMode", true, phone)
        try await set("offline", "offlineMode", false, phone)
        let before = phone.stub.requests.count
        _ = try await phone.simulator.refreshScreen(phone.instance, screen: "settings")
        #expect(phone.stub.requests.count == before + 1)
    }

    @Test func `BOB-60 a call in Offline Mode fails with the words of a missing network`()
        async throws
    {
        let (_, phone) = try await start()
        try await phone.simulator.writeItem(phone.instance, key: "offline_mode", value: "true")
        #expect(try await !phone.login("bob@example.com", "sparrow-9!").succeeded)
        #expect(
            try await phone.now.failure?.message
                == "No internet connection. Please check your network and try again.")
        #expect(phone.stub.requests.isEmpty)
    }

    @Test func `BOB-61 Push Notifications keeps the choice on the device`() async throws {
        let (_, phone) = try await start()
        try await signIn(phone)
        try await set("push", "pushEnabled", true, phone)
        try await set("offline", "offlineMode", true, phone)
        try await set("offline", "offlineMode", false, phone)
        let shown = try #require(try await phone.open("settings").shown)
        #expect(shown.fieldValues["pushEnabled"] == "true")
        #expect(shown.fieldValues["offlineMode"] == "false")
        phone.stub.always("POST /auth/logout", .json(200, ""))
        #expect(try await phone.act("settings", "signOut").screen == "login")
        #expect(try await Array(phone.stored.keys) == ["push_enabled"])
    }

    @Test func `BOB-62 Forgot Password keeps the typed address and sends nothing`() async throws {
        let (_, phone) = try await start()
        #expect(
            try await phone.act("login", "forgot", ["email": "bob@example.com", "password": ""])
                == ActionResult(screen: "forgot", succeeded: true))
        #expect(phone.stub.requests.isEmpty)
        #expect(try await phone.open("login").shown?.fieldValues["email"] == "bob@example.com")
    }
}
