import Support
import Surroundings
import Testing
import Web

@testable import Simulator

/// Socoto's engine side: a key that must be given, a profile that may be
/// missing, a session that outlives the network.
@Suite(.timeLimit(.minutes(10))) struct SocotoTests {
    private static let token = "POST /auth/v1/token"
    private static let profiles = "GET /rest/v1/profiles"

    private static func session(_ number: Int) -> StubTransport.Reply {
        .json(
            200,
            #"{"access_token":"\#(Wire.token(number))","#
                + #""token_type":"bearer","expires_in":3600,"#
                + #""refresh_token":"refresh-\#(number)","#
                + #""user":{"id":"u1","email":"maya@socoto.app"}}"#)
    }

    private static let noProfile = StubTransport.Reply.json(
        406,
        #"{"code":"PGRST116","details":"The result contains 0 rows","#
            + #""hint":null,"message":"Cannot coerce the result"}"#)

    /// Pointed at a project of one's own, with its key or without.
    private func phone(key: String?) async throws -> Phone {
        let phone = try await SimulatorHouse().phone("socoto")
        try await phone.simulator.chooseBackend(
            phone.place, backend: "project", base: nil, settings: key.map { ["apiKey": $0] })
        _ = try await phone.launch()
        return phone
    }

    private func signIn(_ phone: Phone) async throws -> Outcome {
        try await phone.act(
            "signin", "submit", ["email": "maya@socoto.app", "password": "longenough"])
    }

    @Test func `SOC-76 without a key the app says so and asks nobody`() async throws {
        let phone = try await phone(key: nil)
        #expect(try await !signIn(phone).succeeded)
        #expect(
            try await phone.now.failure?.message
                == "Sign in failed: Supabase package not yet configured")
        #expect(phone.stub.requests.isEmpty)
    }

    @Test func `without a key nothing is refreshed, and nothing is lost`() async throws {
        let phone = try await phone(key: "anon-key")
        phone.stub.script(Self.token, Self.session(1))
        phone.stub.script(Self.profiles, Self.noProfile)
        _ = try await signIn(phone)
        let stored = try await phone.stored
        try await phone.simulator.chooseBackend(
            phone.place, backend: "project", base: nil, settings: ["apiKey": ""])
        phone.house.frozen.advance(by: 3_600)
        let before = phone.stub.requests.count
        try await phone.simulator.relaunch(phone.place, kill: false)
        _ = try await phone.launch()
        #expect(phone.stub.requests.count == before)
        #expect(try await phone.stored == stored)
    }

    @Test func `SOC-01 who is signed in at once is told of the account`() async throws {
        let phone = try await phone(key: "anon-key")
        phone.stub.script("POST /auth/v1/signup", Self.session(1))
        let outcome = try await phone.act(
            "signup", "submit",
            [
                "role": "user", "fullName": "Maya Okafor",
                "email": "maya@socoto.app", "password": "longenough",
                "confirm": "longenough", "terms": "on",
            ])
        #expect(outcome == Outcome(screen: "profile", succeeded: true))
        #expect(try await phone.now.notice == "Account created!")
    }

    @Test func `the key goes with every call`() async throws {
        let phone = try await phone(key: "anon-key")
        phone.stub.script(Self.token, Self.session(1))
        phone.stub.script(Self.profiles, Self.noProfile)
        #expect(try await signIn(phone).screen == "profile")
        #expect(phone.stub.requests.map { $0.headers["apikey"] } == ["anon-key", "anon-key"])
    }

    @Test func `SOC-77, SOC-78 a profile that is missing is no failure`() async throws {
        let phone = try await phone(key: "anon-key")
        phone.stub.script(Self.token, Self.session(1))
        phone.stub.script(Self.profiles, Self.noProfile)
        _ = try await signIn(phone)
        let now = try await phone.now
        #expect(now.screen == "profile")
        #expect(now.held["profile"] == nil)
        #expect(now.held["email"] == "maya@socoto.app")
        #expect(now.session != nil)
    }

    @Test func `SOC-74 a start without network keeps the session`() async throws {
        let phone = try await phone(key: "anon-key")
        phone.stub.script(Self.token, Self.session(1))
        phone.stub.script(Self.profiles, Self.noProfile)
        _ = try await signIn(phone)
        try await phone.simulator.relaunch(phone.place, kill: false)
        phone.stub.script(Self.profiles, .failure(.connection))
        #expect(try await phone.launch().screen == "profile")
        #expect(try await phone.now.session != nil)
    }
}
