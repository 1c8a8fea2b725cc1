import Apps
import FoundationEssentials
import Support
import Testing
import Traffic
import Web

@testable import Simulator

/// Bob the Builder, started with a token that has run out.
@Suite(.timeLimit(.minutes(10))) struct BobStartTests {
    static let refresh = "POST /auth/refresh"

    /// What came of the refresh, and what the splash says of it.
    struct Cut: CustomTestStringConvertible, Sendable {
        let reply: StubTransport.Reply
        let words: String
        var testDescription: String { words }
    }

    static let cuts = [
        Cut(
            reply: .failure(.nameLookup),
            words: "No internet connection. Please check your network and try again."),
        Cut(reply: .failure(.timeout), words: "Request timed out. Please try again."),
        Cut(
            reply: .json(503, #"{"message":"pool exhausted in pg.js:7"}"#),
            words: "Server error (503). Please try again later."),
        Cut(
            reply: .json(429, #"{"message":"Too many refresh requests. Please try again later."}"#),
            words: "Too many refresh requests. Please try again later."),
        Cut(
            reply: .json(408, #"{"message":"socket hang up"}"#),
            words: "An unexpected error occurred. Please try again."),
    ]

    /// Signed in, and started anew after the access token's time.
    private func restarted(_ backend: String) async throws -> Phone {
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
        try await fixture.simulator.relaunch(phone.place, isKill: false)
        return phone
    }

    @Test(arguments: ["embedded", "nest"], Self.cuts)
    func `a server out of reach keeps the session and offers to try again`(
        backend: String, cut: Cut
    ) async throws {
        let phone = try await restarted(backend)
        phone.stub.always(Self.refresh, cut.reply)
        #expect(try await phone.launch() == ActionResult(screen: "splash", succeeded: false))
        #expect(try await phone.now.failure?.message == cut.words)
        #expect(try await phone.stored["refresh_token"] == "r1")
        // Retry, once it is there again.
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
    func `BOB-52 a refused refresh leads to the login, which says why`(backend: String, status: Int)
        async throws
    {
        let phone = try await restarted(backend)
        phone.stub.script(Self.refresh, .json(status, #"{"message":"Refresh token revoked"}"#))
        #expect(try await phone.launch().screen == "login")
        let failure = try #require(try await phone.now.failure)
        #expect(failure.title == "Session Expired")
        #expect(failure.presentation == .alert)
        #expect(failure.message == "Your session has expired. Please sign in again.")
        #expect(try await phone.stored.isEmpty)
    }
}
