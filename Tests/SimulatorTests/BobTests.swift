import Apps
import Core
import FoundationEssentials
import Support
import Testing
import Traffic
import Web

@testable import Simulator

/// Bob the Builder in the engine: retries, refreshes, the biometric sensor and builds.
@Suite(.timeLimit(.minutes(10))) struct BobTests {
    private static let email = "bob@example.com"
    private static let password = "sparrow-9!"
    private static let onboarded = ["hasSeenOnboarding"]

    /// A login response in the shape of the app's specification.
    private static func session(_ number: Int, expires: Double = 3_600) -> StubTransport.Reply {
        .json(
            200,
            #"""
            {"user":{"id":"u1","email":"\#(email)","first_name":"John"},
             "tokens":{"access_token":"\#(Wire.token(number, expires: expires))",
                       "refresh_token":"refresh-token-\#(number)",
                       "expires_in":3600}}
            """#)
    }

    private func start(_ sensor: Device.Biometrics.Kind = .none) async throws -> (
        SimulatorFixture, Phone
    ) {
        let fixture = try await SimulatorFixture(skippingSleeps: true)
        let phone = try await fixture.phone("bob")
        _ = try await fixture.simulator.updateDevice(phone.instance.device, in: "main") {
            $0.biometrics = .init(kind: sensor)
        }
        _ = try await phone.launch()
        _ = try await phone.act("onboarding", "skip")
        return (fixture, phone)
    }

    /// Turns the switch for saved credentials on or off.
    private func consent(_ phone: Phone, _ isOn: Bool) async throws {
        _ = try await phone.open("settings")
        let result = try await phone.act(
            "settings", "biometrics", ["biometricEnabled": isOn ? "on" : "off"])
        #expect(result == ActionResult(screen: "settings", succeeded: true))
    }

    private func signOut(_ phone: Phone) async throws {
        _ = try await phone.open("settings")
        phone.stub.script("POST /auth/logout", .json(200, ""))
        #expect(try await phone.act("settings", "signOut").screen == "login")
        try await phone.simulator.dismissAlert(phone.instance)
    }

    private func signIn(_ phone: Phone, expires: Double = 3_600) async throws {
        phone.stub.script("POST /auth/login", Self.session(1, expires: expires))
        let result = try await phone.login(Self.email, Self.password)
        #expect(result == ActionResult(screen: "projects", succeeded: true))
    }

    private func retryDelays(_ fixture: SimulatorFixture) -> [Double] {
        fixture.frozen.slept.map {
            Double($0.components.seconds) + Double($0.components.attoseconds) / 1e18
        }.filter { $0 > 0.5 }  // The stores debounce for less.
    }

    // MARK: Failures

    @Test func `BOB-46 a 503 is retried three times with growing delays, then shown`() async throws
    {
        let (fixture, phone) = try await start()
        phone.stub.always("POST /auth/login", .json(503, "{}"))
        #expect(try await !phone.login(Self.email, Self.password).succeeded)
        #expect(phone.stub.requests.count == 4)
        let delays = retryDelays(fixture)
        #expect(delays.count == 3)
        for (delay, expected) in zip(delays, [1.0, 2, 4]) {
            #expect((0.75 * expected...1.25 * expected).contains(delay))
        }
        let failure = try #require(try await phone.now.failure)
        #expect(failure.title == "Login Error")
        #expect(failure.presentation == .alert)
        #expect(failure.message == "Server error (503). Please try again later.")
    }

    @Test func `BOB-46 a retry signs in once the server recovers`() async throws {
        let (_, phone) = try await start()
        phone.stub.script(
            "POST /auth/login", .json(502, ""), .failure(.connection), Self.session(1))
        let result = try await phone.login(Self.email, Self.password)
        #expect(result == ActionResult(screen: "projects", succeeded: true))
        #expect(phone.stub.requests.count == 3)
    }

    @Test(arguments: [
        (TransportFailure.Kind.timeout, "Request timed out. Please try again."),
        (.connection, "Request timed out. Please try again."),
        (.nameLookup, "No internet connection. Please check your network and try again."),
    ]) func `BOB-22, BOB-23, BOB-47 a backend that is down and no network have different messages`(
        kind: TransportFailure.Kind, message: String
    ) async throws {
        let (_, phone) = try await start()
        phone.stub.always("POST /auth/login", .failure(kind))
        #expect(try await !phone.login(Self.email, Self.password).succeeded)
        #expect(try await phone.now.failure?.message == message)
        // Every attempt has its own timeout of 30 seconds.
        let sent = phone.stub.requests
        #expect(sent.count == 4)
        #expect(sent.allSatisfy { $0.timeout == .seconds(30) })
    }

    // MARK: Session

    @Test func `BOB-25 tokens are stored only in the keychain`() async throws {
        let (fixture, phone) = try await start()
        try await signIn(phone)
        let items = try await fixture.simulator.storageItems(phone.instance)
        #expect(
            items.filter { $0.area == .keychain }.map(\.key) == [
                "access_token", "refresh_token", "token_expiry", "current_user",
            ])
        #expect(items.filter { $0.area == .defaults }.map(\.key) == Self.onboarded)
    }

    @Test func `the keychain stores when the token expires, not its lifetime`() async throws {
        let (fixture, phone) = try await start()
        func expiry(in seconds: Double) async throws {
            let items = try await fixture.simulator.storageItems(phone.instance)
            let item = try #require(items.first { $0.key == "token_expiry" })
            #expect(
                try await phone.stored["token_expiry"]
                    == item.writtenAt.addingTimeInterval(seconds).iso8601)
        }
        try await signIn(phone)
        try await expiry(in: 3_600)
        fixture.frozen.advance(by: 4_000)
        try await fixture.simulator.relaunch(phone.instance, isKill: false)
        phone.stub.script(
            "POST /auth/refresh",
            .json(
                200,
                #"""
                {"access_token":"\#(Wire.token(2, expires: 9_999))",
                 "refresh_token":"r2","expires_in":900}
                """#))
        _ = try await phone.launch()
        try await expiry(in: 900)
    }

    @Test func `BOB-52 a call with an expired token is repeated with a new one`() async throws {
        let (_, phone) = try await start()
        try await signIn(phone)
        _ = try await phone.open("settings")
        phone.stub.script("POST /auth/logout", .json(401, "{}"), .json(200, ""))
        phone.stub.script("POST /auth/refresh", Wire.refreshed(Wire.token(2), "refresh-token-2"))
        #expect(try await phone.act("settings", "signOut").screen == "login")
        #expect(
            phone.stub.sent("POST /auth/refresh").map(\.text) == [
                #"{"refresh_token":"refresh-token-1"}"#
            ])
        #expect(phone.stub.sent("POST /auth/refresh")[0].bearer == nil)
        #expect(
            phone.stub.sent("POST /auth/logout").map(\.bearer) == [Wire.token(1), Wire.token(2)])
    }

    @Test func `a launch refreshes an expired token, but not a valid one`() async throws {
        let (fixture, phone) = try await start()
        try await signIn(phone)
        try await fixture.simulator.relaunch(phone.instance, isKill: false)
        #expect(try await phone.launch().screen == "projects")
        fixture.frozen.advance(by: 4_000)
        try await fixture.simulator.relaunch(phone.instance, isKill: false)
        phone.stub.script(
            "POST /auth/refresh", Wire.refreshed(Wire.token(2, expires: 9_999), "refresh-token-2"))
        #expect(try await phone.launch().screen == "projects")
        #expect(phone.stub.sent("POST /auth/refresh").count == 1)
        #expect(try await phone.stored["refresh_token"] == "refresh-token-2")
    }

    @Test(arguments: [(200, ""), (500, "{}"), (403, "no")])
    func `BOB-53 signing out clears the storage whatever the server responds`(
        status: Int, body: String
    )
        async throws
    {
        let (_, phone) = try await start()
        try await signIn(phone)
        _ = try await phone.open("settings")
        phone.stub.always("POST /auth/logout", .json(status, body))
        #expect(
            try await phone.act("settings", "signOut")
                == ActionResult(screen: "login", succeeded: true))
        #expect(try await phone.stored.keys.sorted() == Self.onboarded)
        #expect(try await phone.now.alert?.title == "Signed Out")
        try await phone.simulator.dismissAlert(phone.instance)
        #expect(try await phone.now.alert == nil)
    }

    @Test func `the NestJS dialect refreshes with its own field names`() async throws {
        let (fixture, phone) = try await start()
        _ = try await phone.launch(with: "nest")
        phone.stub.script(
            "POST /auth/login",
            .json(
                200,
                #"""
                {"accessToken":"\#(Wire.token(1, expires: 20))",
                 "refreshToken":"r1","tokenType":"Bearer","expiresIn":20,
                 "user":{"id":"u1","firstName":"John"}}
                """#))
        _ = try await phone.login(Self.email, Self.password)
        try await fixture.simulator.relaunch(phone.instance, isKill: false)
        // Within two minutes the response contains no new refresh token.
        phone.stub.script("POST /auth/refresh", .json(200, #"{"accessToken":"\#(Wire.token(2))"}"#))
        #expect(try await phone.launch().screen == "projects")
        #expect(phone.stub.requests.last?.text == #"{"refreshToken":"r1"}"#)
        #expect(try await phone.stored["refresh_token"] == "r1")
    }

    // MARK: Biometric sensor

    @Test func `BOB-26 saved credentials are available only after a biometric match`() async throws
    {
        let (fixture, phone) = try await start(.faceID)
        try await signIn(phone)
        try await consent(phone, true)
        try await signOut(phone)
        try await signIn(phone, expires: 20)
        #expect(try await phone.stored.keys.contains("saved_credentials"))
        try await fixture.simulator.relaunch(phone.instance, isKill: false)
        phone.stub.script("POST /auth/refresh", .json(401, "{}"))
        #expect(try await phone.launch().screen == "unlock")
        _ = try await phone.simulator.runAction(
            phone.instance, screen: "unlock", action: "unlock", form: [:], sensor: .match)
        #expect(try await phone.launch().screen == "login")
        #expect(
            try await phone.stored.keys.sorted()
                == ["biometric_enabled", "hasSeenOnboarding", "saved_credentials"])
        let sent = phone.stub.requests.count
        func biometricSignIn(_ sensorResult: Device.Biometrics.Result) async throws -> AppStatus
            .Failure?
        {
            let result = try await phone.simulator.runAction(
                phone.instance, screen: "login", action: "biometric", form: [:],
                sensor: sensorResult)
            #expect(result == ActionResult(screen: "login", succeeded: false))
            return try await phone.now.failure
        }
        #expect(
            try await biometricSignIn(.noMatch)
                == .init(
                    message: "Biometric authentication failed", title: "Login Error",
                    presentation: .alert))
        #expect(try await biometricSignIn(.cancel) == nil)
        #expect(phone.stub.requests.count == sent)
        // The password was changed meanwhile: the failure is that of any rejected login.
        phone.stub.script("POST /auth/login", .json(401, "{}"))
        let failure = try #require(try await biometricSignIn(.match))
        #expect(failure.title == "Login Error")
        #expect(failure.presentation == .alert)
        #expect(failure.message == "Invalid email or password. Please try again.")
        phone.stub.script("POST /auth/login", Self.session(2))
        let result = try await phone.simulator.runAction(
            phone.instance, screen: "login", action: "biometric", form: [:], sensor: .match)
        #expect(result == ActionResult(screen: "projects", succeeded: true))
        #expect(
            phone.stub.requests.last?.text
                == #"{"email":"bob@example.com","password":"sparrow-9!"}"#)
        // Neither the recorded exchange nor the status contains the password.
        let exchange = try await fixture.exchanges.list(ExchangeQuery(workspace: "main")).items[0]
        let detail = try await fixture.exchanges.detail(exchange.id, in: "main")
        #expect(!String(describing: detail).contains(Self.password))
        let now = try await phone.now
        #expect(!String(describing: now.availableValues).contains(Self.password))
        let item = try await phone.simulator.storageItems(phone.instance).first {
            $0.key == "saved_credentials"
        }
        #expect(item?.maskedValue == "…")
    }

    @Test func `BOB-53 signing out without a network clears the storage without a retry`()
        async throws
    {
        let (fixture, phone) = try await start(.faceID)
        try await signIn(phone)
        _ = try await phone.open("settings")
        phone.stub.always("POST /auth/logout", .failure(.nameLookup))
        #expect(try await phone.act("settings", "signOut").screen == "login")
        #expect(phone.stub.sent("POST /auth/logout").count == 1)
        #expect(retryDelays(fixture).isEmpty)
        #expect(try await phone.stored.keys.sorted() == Self.onboarded)
    }

    @Test func `BOB-53 signing out with an expired token and no network does not wait either`()
        async throws
    {
        let (fixture, phone) = try await start()
        try await signIn(phone)
        _ = try await phone.open("settings")
        fixture.frozen.advance(by: 4_000)
        phone.stub.always("POST /auth/refresh", .failure(.nameLookup))
        phone.stub.always("POST /auth/logout", .failure(.nameLookup))
        #expect(
            try await phone.act("settings", "signOut")
                == ActionResult(screen: "login", succeeded: true))
        #expect(phone.stub.sent("POST /auth/refresh").count == 1)
        #expect(retryDelays(fixture).isEmpty)
        #expect(try await phone.stored.keys.sorted() == Self.onboarded)
        #expect(try await phone.now.alert?.title == "Signed Out")
    }

    @Test func `BOB-26 credentials are saved only with consent, and deleted without it`()
        async throws
    {
        let (_, phone) = try await start(.faceID)
        func isSaved() async throws -> Bool {
            try await phone.stored["saved_credentials"] != nil
        }
        try await signIn(phone)
        #expect(try await !isSaved())
        try await consent(phone, true)
        #expect(try await phone.open("settings").shown?.fieldValues["biometricEnabled"] == "true")
        #expect(try await !isSaved())
        try await signOut(phone)
        try await signIn(phone)
        #expect(try await isSaved())
        // Signing out keeps what the user consented to.
        try await signOut(phone)
        #expect(try await isSaved())
        try await signIn(phone)
        try await consent(phone, false)
        #expect(try await !isSaved())
        try await signOut(phone)
        #expect(try await phone.stored.keys.sorted() == ["biometric_enabled", "hasSeenOnboarding"])
    }

    @Test func `BOB-15 without a sensor no credentials are saved and no prompt is shown`()
        async throws
    {
        let (_, phone) = try await start()
        try await signIn(phone)
        #expect(try await phone.stored["saved_credentials"] == nil)
        _ = try await phone.open("settings")
        phone.stub.script("POST /auth/logout", .json(200, ""))
        _ = try await phone.act("settings", "signOut")
        await refused(409, "action-unavailable") { try await phone.act("login", "biometric") }
        await refused(409, "action-unavailable") {
            try await phone.simulator.preparePrompt(
                phone.instance, screen: "login", action: "biometric", form: [:])
        }
    }

    @Test(arguments: [(Device.Biometrics.Kind.faceID, "Face ID"), (.touchID, "Touch ID")])
    func `without saved credentials a match shows an error and sends nothing`(
        kind: Device.Biometrics.Kind, name: String
    ) async throws {
        let (_, phone) = try await start(kind)
        _ = try await phone.act("login", "biometric")
        let message =
            "Nothing is saved for \(name) yet. Turn on Biometric Authentication in Settings,"
            + " then sign in with your email and password."
        #expect(
            try await phone.now.failure
                == .init(message: message, title: "Login Error", presentation: .alert))
        #expect(phone.stub.requests.isEmpty)
    }

    // MARK: Builds

    @Test func `BOB-18, BOB-19 only a debug build can skip the login`() async throws {
        let (fixture, phone) = try await start()
        #expect(try await phone.act("login", "skip").screen == "projects")
        #expect(try await phone.open("projects").shown != nil)
        #expect(phone.stub.requests.isEmpty)
        #expect(try await phone.stored.keys.sorted() == Self.onboarded)
        try await fixture.simulator.relaunch(phone.instance, isKill: false)
        #expect(try await phone.launch().screen == "login")
        _ = try await fixture.simulator.updateDevice(phone.instance.device, in: "main") {
            $0.build = .release
        }
        await refused(409, "action-unavailable") { try await phone.act("login", "skip") }
        #expect(try await phone.open("projects").redirected == "login")
    }

    @Test func `BOB-19 a login skipped in a debug build is required in a release build`()
        async throws
    {
        let (fixture, phone) = try await start()
        #expect(try await phone.act("login", "skip").screen == "projects")
        _ = try await fixture.simulator.updateDevice(phone.instance.device, in: "main") {
            $0.build = .release
        }
        #expect(try await phone.open("projects").redirected == "login")
        #expect(try await phone.open("login").shown != nil)
    }
}
