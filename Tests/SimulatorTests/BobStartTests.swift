import Apps
import FoundationEssentials
import Support
import Testing
import Traffic
import Web

@testable import Simulator

/// Launches of Bob the Builder with an expired access token.
@Suite(.timeLimit(.minutes(10))) struct BobStartTests {
    static let refresh = "POST /auth/refresh"

    /// A failing refresh, and the message that the splash screen shows.
    struct RefreshFailure: CustomTestStringConvertible, Sendable {
        let reply: StubTransport.Reply
        let message: String
        var testDescription: String { message }
    }

    static let refreshFailures = [
        RefreshFailure(
            reply: .failure(.nameLookup),
            message: "No internet connection. Please check your network and try again."),
        RefreshFailure(reply: .failure(.timeout), message: "Request timed out. Please try again."),
        RefreshFailure(
            reply: .json(503, #"{"message":"pool exhausted in pg.js:7"}"#),
            message: "Server error (503). Please try again later."),
        RefreshFailure(
            reply: .json(429, #"{"message":"Too many refresh requests. Please try again later."}"#),
            message: "Too many refresh requests. Please try again later."),
        RefreshFailure(
            reply: .json(408, #"{"message":"socket hang up"}"#),
            message: "An unexpected error occurred. Please try again."),
    ]

    /// A signed-in app, relaunched after its access token expired.
    private func relaunchedAfterExpiry(_ backend: String) async throws -> Phone {
        let (fixture, phone) = try await expired(backend)
        try await fixture.simulator.relaunch(phone.instance, isKill: false)
        return phone
    }

    /// A signed-in app whose access token expired while it was in use.
    private func expired(_ backend: String) async throws -> (SimulatorFixture, Phone) {
        let fixture = try await SimulatorFixture(skippingSleeps: true)
        let phone = try await fixture.phone("bob")
        _ = try await phone.launch(with: backend)
        phone.stub.script(
            "POST /auth/login",
            .json(
                200,
                #"""
                {"accessToken":"\#(Wire.token(1))","refreshToken":"r1",
                 "expiresIn":3600,"user":{"id":"u1"}}
                """#))
        #expect(try await phone.login("bob@example.com", "sparrow-9!").screen == "projects")
        fixture.frozen.advance(by: 4_000)
        return (fixture, phone)
    }

    @Test(arguments: ["embedded", "nest"], Self.refreshFailures)
    func `an unreachable server keeps the session and allows a retry`(
        backend: String, refreshFailure: RefreshFailure
    ) async throws {
        let phone = try await relaunchedAfterExpiry(backend)
        phone.stub.always(Self.refresh, refreshFailure.reply)
        #expect(try await phone.launch() == ActionResult(screen: "splash", succeeded: false))
        #expect(try await phone.now.failure?.message == refreshFailure.message)
        #expect(try await phone.stored["refresh_token"] == "r1")
        // A retry once the server is reachable again.
        phone.stub.always(
            Self.refresh,
            .json(
                200,
                #"""
                {"access_token":"\#(Wire.token(2, expires: 9_999))",
                 "accessToken":"\#(Wire.token(2, expires: 9_999))"}
                """#))
        #expect(try await phone.launch().screen == "projects")
    }

    @Test(arguments: ["embedded", "nest"], [400, 401, 403, 404])
    func `BOB-52 a rejected refresh shows the login with the reason`(backend: String, status: Int)
        async throws
    {
        let phone = try await relaunchedAfterExpiry(backend)
        phone.stub.script(Self.refresh, .json(status, #"{"message":"Refresh token revoked"}"#))
        #expect(try await phone.launch().screen == "login")
        let failure = try #require(try await phone.now.failure)
        #expect(failure.title == "Session Expired")
        #expect(failure.presentation == .alert)
        #expect(failure.message == "Your session has expired. Please sign in again.")
        #expect(try await phone.stored.isEmpty)
    }

    // MARK: While the app is in use

    /// The document's server has no call for the account: the expired token alone is the reason.
    @Test(arguments: ["rfis", "settings"])
    func `a screen that is opened with an expired token has it refreshed`(screen: String)
        async throws
    {
        let (_, phone) = try await expired("embedded")
        phone.stub.script(
            Self.refresh, Wire.refreshed(Wire.token(2, expires: 9_999), "refresh-token-2"))
        for _ in 1...2 {
            #expect(try await phone.open(screen).shown?.failure == nil)
            _ = try await phone.open("projects")
        }
        try await phone.simulator.enterBackground(phone.instance)
        try await phone.simulator.enterForeground(phone.instance)
        #expect(phone.stub.requests.count == 2)
        #expect(try await phone.stored["refresh_token"] == "refresh-token-2")
    }

    @Test func `a session that died in use leads to the login with its message`() async throws {
        let (_, phone) = try await expired("embedded")
        phone.stub.script(Self.refresh, .json(401, "{}"))
        try await phone.simulator.enterBackground(phone.instance)
        try await phone.simulator.enterForeground(phone.instance)
        #expect(try await phone.screen == "login")
        #expect(try await phone.now.failure?.title == "Session Expired")
    }

    @Test(arguments: ["embedded", "nest"])
    func `a refresh that fails in use keeps what the screen shows`(backend: String) async throws {
        let (_, phone) = try await expired(backend)
        phone.stub.always(Self.refresh, .failure(.nameLookup))
        phone.stub.always("GET /auth/me", .failure(.nameLookup))
        #expect(try await phone.open("settings").shown?.failure == nil)
        // One attempt: the user waits for the screen.
        #expect(phone.stub.sent(Self.refresh).count == 1)
    }
}
