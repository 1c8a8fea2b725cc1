import Apps
import Core
import Support
import Testing
import Web

@testable import Simulator

/// Anonymous Wall in the engine: what is stored where, how a launch uses it, and which call a code
/// is sent to.
@Suite(.timeLimit(.minutes(10))) struct WallTests {
    private static let token = "com.anonymouswall.authToken"
    private static let signedInItems = [
        token: Wire.token(1), "isAuthenticated": "true", "userId": "u1",
        "userEmail": "sam@campus.edu",
    ]

    private static let signedIn = StubTransport.Reply.json(
        200,
        #"{"success":true,"user":{"id":"u1","email":"sam@campus.edu"},"#
            + #""token":"\#(Wire.token(1))"}"#)

    /// A launched app on a new device.
    private func phone() async throws -> Phone {
        let phone = try await SimulatorFixture().phone("wall")
        #expect(try await phone.launch().screen == "landing")
        return phone
    }

    private func login(_ phone: Phone, _ reply: StubTransport.Reply = Self.signedIn) async throws
        -> ActionResult
    {
        phone.stub.script("POST /auth/login", reply)
        return try await phone.act(
            "login", "submit", ["email": "sam@campus.edu", "code": "012345"])
    }

    // MARK: Storage

    @Test(arguments: ["", #","created_at":"2026-01-31T00:00:00Z""#])
    func `WALL-14, WALL-15, WALL-30 only the token is stored in the keychain`(created: String)
        async throws
    {
        let phone = try await phone()
        let response =
            #"{"success":true,"user":{"id":"u1","email":"sam@campus.edu"\#(created)},"#
            + #""token":"\#(Wire.token(1))"}"#
        #expect(try await login(phone, .json(200, response)).screen == "wall")
        #expect(try await phone.stored == Self.signedInItems)
        let items = try await phone.simulator.storageItems(phone.instance)
        let keychain = items.filter { $0.area == .keychain }
        #expect(keychain.map(\.key) == [Self.token])
        #expect(keychain.map(\.accessibilityClass) == ["whenUnlockedThisDeviceOnly"])
        #expect(items.count == 4)
        #expect(
            phone.stub.requests.map(\.text) == [
                #"{"email":"sam@campus.edu","verification_code":"012345"}"#
            ])
    }

    @Test func `WALL-09 logout deletes all items and sends no request`() async throws {
        let phone = try await phone()
        _ = try await login(phone)
        let result = try await phone.act("wall", "logout")
        #expect(result == ActionResult(screen: "landing", succeeded: true))
        #expect(try await phone.stored.isEmpty)
        #expect(phone.stub.requests.count == 1)
    }

    // MARK: Launches

    /// Changes to the storage of a signed-in app, the screen that a launch then shows, and the keys
    /// that remain.
    struct LaunchCase: CustomTestStringConvertible, Sendable {
        var changes: [String: String?]
        var screen = "landing"
        var remainingKeys: [String] = []
        var testDescription: String { "\(changes.keys.sorted()) \(screen)" }
    }

    @Test(arguments: [
        LaunchCase(changes: [:], screen: "wall", remainingKeys: Self.signedInItems.keys.sorted()),
        LaunchCase(changes: [Self.token: nil]), LaunchCase(changes: ["userId": nil]),
        LaunchCase(changes: ["userEmail": nil]),
        LaunchCase(
            changes: ["isAuthenticated": "false"],
            remainingKeys: ["isAuthenticated", "userEmail", "userId"]),
        LaunchCase(changes: ["isAuthenticated": nil], remainingKeys: ["userEmail", "userId"]),
        LaunchCase(changes: ["isAuthenticated": nil, "userId": nil, "userEmail": nil]),
    ]) func `WALL-27 a launch trusts neither the flag nor the token alone`(launch: LaunchCase)
        async throws
    {
        let phone = try await phone()
        _ = try await login(phone)
        for (key, value) in launch.changes {
            if let value {
                try await phone.simulator.writeItem(phone.instance, key: key, value: value)
            } else {
                try await phone.simulator.deleteItem(phone.instance, key: key)
            }
        }
        try await phone.simulator.relaunch(phone.instance, isKill: false)
        #expect(try await phone.launch().screen == launch.screen)
        #expect(try await phone.stored.keys.sorted() == launch.remainingKeys)
        #expect(phone.stub.requests.count == 1)
    }

    @Test func `clearing the storage leads to the landing screen`() async throws {
        let phone = try await phone()
        _ = try await login(phone)
        phone.stub.script("GET /posts", .json(200, #"{"success":true,"posts":[]}"#))
        #expect(try await phone.open("wall").shown != nil)
        try await phone.simulator.clearStorage(phone.instance)
        #expect(try await phone.open("wall").redirected == "landing")
    }

    // MARK: Codes

    @Test func `WALL-31 a code is sent to the call that it was requested for`() async throws {
        let phone = try await phone()
        _ = try await phone.launch(with: "campusEmbedded")
        phone.stub.always("POST /email/send-code", .json(200, #"{"message":"sent"}"#))
        let response =
            #"{"accessToken":"\#(Wire.token(1))","user":{"id":"u1","#
            + #""email":"sam@mit.edu","isVerified":true}}"#
        phone.stub.always("POST /register/email", .json(201, response))
        phone.stub.always("POST /login/email", .json(200, response))
        let sam = ["email": "sam@mit.edu"]
        let typed = sam.merging(["code": "012345"]) { $1 }

        // One address registers; another requests a sign-in code meanwhile.
        _ = try await phone.act("register", "submit", sam)
        _ = try await phone.open("login")
        #expect(try await phone.now.fieldValues["email"] == "sam@mit.edu")
        _ = try await phone.act("login", "getCode", ["email": "ann@mit.edu", "code": ""])
        _ = try await phone.act("login", "submit", typed)
        #expect(try await phone.screen == "wall")
        #expect(
            phone.stub.sent("POST /register/email").map(\.text) == [
                #"{"email":"sam@mit.edu","code":"012345"}"#
            ])
        #expect(try await phone.stored.keys.sorted() == Self.signedInItems.keys.sorted())
        _ = try await phone.act("wall", "logout")

        // Now the account exists, and the code is sent to the sign-in call.
        _ = try await phone.open("login")
        _ = try await phone.act("login", "submit", typed)
        #expect(phone.stub.sent("POST /login/email").count == 1)
        let codeRequests = phone.stub.sent("POST /email/send-code").map(\.text)
        #expect(
            codeRequests == [
                #"{"email":"sam@mit.edu","purpose":"register"}"#,
                #"{"email":"ann@mit.edu","purpose":"login"}"#,
            ])
    }

    @Test(arguments: ["ann@mit.edu", " ANN@mit.edu"])
    func `WALL-31 an address matches regardless of case and spaces`(spelling: String) async throws {
        let phone = try await phone()
        _ = try await phone.launch(with: "campusEmbedded")
        phone.stub.always("POST /email/send-code", .json(200, "{}"))
        phone.stub.always("POST /register/email", .json(400, "{}"))
        _ = try await phone.act("register", "submit", ["email": "Ann@MIT.edu "])
        _ = try await phone.open("login")
        _ = try await phone.act("login", "submit", ["email": spelling, "code": "012345"])
        #expect(phone.stub.sent("POST /register/email").count == 1)
    }

    @Test func `an app killed by its submit has sent what earlier screens left in memory`()
        async throws
    {
        let phone = try await phone()
        _ = try await phone.launch(with: "campusEmbedded")
        phone.stub.always("POST /email/send-code", .json(200, "{}"))
        phone.stub.always("POST /register/email", .json(400, "{}"))
        phone.stub.always("POST /login/email", .json(400, "{}"))
        _ = try await phone.act("register", "submit", ["email": "ann@mit.edu"])
        _ = try await phone.open("login")
        try await phone.simulator.setKillOnNextSubmit(phone.instance)
        let typed = ["email": "ann@mit.edu", "code": "012345"]
        #expect(try await !phone.act("login", "submit", typed).succeeded)
        #expect(phone.stub.sent("POST /register/email").count == 1)
        #expect(try await phone.now.isLaunching)
    }
}
