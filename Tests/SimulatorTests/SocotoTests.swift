import Apps
import Core
import Support
import Testing
import Web

@testable import Simulator

/// Socoto in the engine: a required API key, a profile that may be missing, and a session that is
/// kept without a network.
@Suite(.timeLimit(.minutes(10))) struct SocotoTests {
    @Test func `without an API key nothing is refreshed and the session is kept`() async throws {
        let phone = try await SupabaseWire.signedIn(SupabaseWire.noProfile)
        let stored = try await phone.stored
        try await phone.simulator.chooseBackend(
            phone.instance, backend: "project", base: nil, settings: ["apiKey": ""])
        phone.fixture.frozen.advance(by: 3_600)
        let before = phone.stub.requests.count
        _ = try await phone.relaunch()
        #expect(phone.stub.requests.count == before)
        #expect(try await phone.stored == stored)
    }

    @Test func `SOC-01 a sign-up that signs in shows a notice about the account`() async throws {
        let phone = try await SupabaseWire.phone()
        phone.stub.script(SupabaseWire.signUp, SupabaseWire.session(1))
        let result = try await phone.submit("signup")
        #expect(result == ActionResult(screen: "profile", succeeded: true))
        #expect(try await phone.now.notice == "Account created!")
    }

    @Test func `SOC-40, SOC-60 every call has the API key, a bearer token and the version`()
        async throws
    {
        let phone = try await SupabaseWire.phone()
        let (key, first) = (SupabaseWire.key, SupabaseWire.accessToken(1))
        phone.stub.script(SupabaseWire.signUp, SupabaseWire.session(1))
        phone.stub.script(
            SupabaseWire.profiles, SupabaseWire.profile, SupabaseWire.profile,
            SupabaseWire.expired, SupabaseWire.profile)
        phone.stub.script(SupabaseWire.signOut, .json(204, ""))
        phone.stub.script(SupabaseWire.recover, .json(200, "{}"))
        phone.stub.script(
            SupabaseWire.token, SupabaseWire.session(2), SupabaseWire.session(3))
        _ = try await phone.submit("signup")
        _ = try await phone.open("profile")
        _ = try await phone.act("profile", "signOut")
        _ = try await phone.submit("forgot")
        _ = try await phone.submit("signin")
        #expect(try await phone.relaunch().screen == "profile")
        let base = "https://project.supabase.co"
        let profileRequest = "GET \(base)/rest/v1/profiles?select=%2A&id=eq.u1"
        let second = SupabaseWire.accessToken(2)
        let expected: [(String, String)] = [
            ("POST \(base)/auth/v1/signup", key), (profileRequest, first),
            ("POST \(base)/auth/v1/logout?scope=global", first),
            ("POST \(base)/auth/v1/recover", key),
            ("POST \(base)/auth/v1/token?grant_type=password", key), (profileRequest, second),
            (profileRequest, second), ("POST \(base)/auth/v1/token?grant_type=refresh_token", key),
            (profileRequest, SupabaseWire.accessToken(3)),
        ]
        let sent = phone.stub.requests
        #expect(sent.map { "\($0.method.rawValue) \($0.url)" } == expected.map(\.0))
        #expect(sent.map(\.bearer) == expected.map(\.1))
        for request in sent {
            #expect(request.headers["apikey"] == key)
            #expect(request.headers["X-Supabase-Api-Version"] == "2024-01-01")
        }
        #expect(
            phone.stub.sent(SupabaseWire.profiles).allSatisfy {
                $0.headers["Accept"] == "application/vnd.pgrst.object+json"
            })
        #expect(
            phone.stub.sent(SupabaseWire.token).map(\.text) == [
                #"{"email":"maya@socoto.app","password":"longenough"}"#,
                #"{"refresh_token":"refresh-2"}"#,
            ])
    }

    @Test func `the local stack needs no custom API key`() async throws {
        let phone = try await SimulatorFixture().phone("socoto")
        _ = try await phone.launch(with: "local")
        phone.stub.script(SupabaseWire.signUp, SupabaseWire.session(1))
        #expect(try await phone.submit("signup").screen == "profile")
        let request = try #require(phone.stub.requests.first)
        #expect(request.url == "http://127.0.0.1:54321/auth/v1/signup")
        #expect(request.headers["apikey"] == "local")
    }

    @Test func `SOC-60 everything is stored in the keychain`() async throws {
        let phone = try await SupabaseWire.signedIn()
        let items = try await phone.simulator.storageItems(phone.instance)
        #expect(items.allSatisfy { $0.area == .keychain })
        #expect(
            try await phone.stored == [
                "sb-project-auth-token": SupabaseWire.accessToken(1),
                "sb-project-auth-refresh-token": "refresh-1", "sb-project-auth-user": "u1",
            ])
    }

    @Test(arguments: ["signin", "signup"], [SupabaseWire.noProfile, .json(500, "It is late.")])
    func `SOC-77, SOC-78 a missing profile is not a failure`(
        screen: String, response: StubTransport.Reply
    ) async throws {
        let phone = try await SupabaseWire.phone()
        phone.stub.script(SupabaseWire.token, SupabaseWire.session(1))
        phone.stub.script(SupabaseWire.signUp, SupabaseWire.session(1))
        phone.stub.always(SupabaseWire.profiles, response)
        #expect(try await phone.submit(screen).screen == "profile")
        let missing = try #require(try await phone.open("profile").shown)
        #expect(missing.failure == nil)
        // The user is known from the session; the role is not guessed.
        #expect(missing.availableValues["email"] == "maya@socoto.app")
        #expect(missing.availableValues["profile"] == nil)
        #expect(missing.availableValues["badge"] == nil)
        #expect(missing.session != nil)
        // A profile is shown once there is one.
        phone.stub.always(SupabaseWire.profiles, SupabaseWire.profile)
        let found = try #require(try await phone.open("profile").shown)
        #expect(found.availableValues["profile"]?["full_name"] == "Maya Okafor")
        #expect(found.availableValues["badge"] == "user")
    }

    @Test(arguments: [
        (#"{"id":"u1","email":"maya@socoto.app","role":"user"}"#, "user"),
        (#"{"id":"u1","role":"business_owner"}"#, "business_owner"),
        (#"{"id":"u1","user_type":"user"}"#, "user"),
        (#"{"id":"u1","user_type":"business_owner"}"#, "business_owner"),
        (#"[{"id":"u1","user_type":"business_owner"}]"#, "business_owner"),
    ])
    func `SOC-41, SOC-42 the badge shows the role, under either field name`(
        row: String, badge: String
    )
        async throws
    {
        let phone = try await SupabaseWire.signedIn(.json(200, row))
        for _ in 0..<2 {
            let shown = try #require(try await phone.open("profile").shown)
            #expect(shown.availableValues["badge"]?.string == badge)
            #expect(shown.availableValues["email"] == "maya@socoto.app")
            #expect(try await phone.relaunch().screen == "profile")
        }
    }

    @Test(arguments: [("user", ["create", "business"]), ("business_owner", ["owners"])])
    func `SOC-48 a screen of the other role is not shown`(
        role: String, screens: [String]
    )
        async throws
    {
        let phone = try await SupabaseWire.signedIn(.json(200, #"{"id":"u1","role":"\#(role)"}"#))
        for screen in screens {
            let tab = try await phone.open(screen).redirected
            #expect(tab == (role == "user" ? "discover" : "create"))
        }
    }

    // MARK: Relaunches

    @Test func `SOC-75 without a session the welcome screen is shown and nothing sent`()
        async throws
    {
        let phone = try await SupabaseWire.phone()
        for screen in ["profile", "loading"] {
            #expect(try await phone.open(screen).redirected == "welcome")
        }
        #expect(try await phone.relaunch().screen == "welcome")
        #expect(phone.stub.requests.isEmpty)
    }

    @Test func `SOC-74 an expired token is refreshed without a message`() async throws {
        let phone = try await SupabaseWire.signedIn()
        phone.stub.script(SupabaseWire.profiles, SupabaseWire.expired)
        phone.stub.script(SupabaseWire.token, SupabaseWire.session(2))
        #expect(try await phone.relaunch().screen == "profile")
        #expect(try await phone.now.failure == nil)
        #expect(try await phone.stored["sb-project-auth-token"] == SupabaseWire.accessToken(2))
        // Later calls use the new token.
        #expect(try await phone.relaunch().screen == "profile")
        #expect(phone.stub.sent(SupabaseWire.token).count == 2)
        #expect(phone.stub.requests.last?.bearer == SupabaseWire.accessToken(2))
    }

    @Test func `SOC-75 a rejected refresh shows the welcome screen and clears the storage`()
        async throws
    {
        let phone = try await SupabaseWire.signedIn()
        phone.stub.script(SupabaseWire.profiles, SupabaseWire.expired)
        phone.stub.script(
            SupabaseWire.token,
            SupabaseWire.errors(400, "refresh_token_not_found", "Invalid Refresh Token")[0])
        #expect(try await phone.relaunch().screen == "welcome")
        #expect(try await phone.stored.isEmpty)
        #expect(phone.stub.requests.last?.url.contains("grant_type=refresh_token") == true)
    }

    @Test func `SOC-71, SOC-74 a launch without a network keeps the session`() async throws {
        let phone = try await SupabaseWire.signedIn()
        let stored = try await phone.stored
        phone.stub.always(SupabaseWire.profiles, .failure(.connection))
        #expect(try await phone.relaunch().screen == "profile")
        let offline = try #require(try await phone.open("profile").shown)
        #expect(offline.session != nil)
        #expect(offline.availableValues["email"] == "maya@socoto.app")
        #expect(offline.availableValues["profile"] == nil)
        #expect(try await phone.stored == stored)
        phone.stub.always(SupabaseWire.profiles, SupabaseWire.profile)
        #expect(try await phone.open("profile").shown?.availableValues["profile"] != nil)
    }

    @Test(
        arguments: [
            .json(204, ""), .json(401, "{}"), .json(403, "{}"), .json(404, "{}"),
            .json(500, "It is late."), .failure(.connection),
        ] as [StubTransport.Reply])
    func `SOC-44 signing out succeeds whatever the server responds`(response: StubTransport.Reply)
        async throws
    {
        let phone = try await SupabaseWire.signedIn()
        phone.stub.script(SupabaseWire.signOut, response)
        let result = try await phone.act("profile", "signOut")
        #expect(result == ActionResult(screen: "welcome", succeeded: true))
        #expect(phone.stub.sent(SupabaseWire.signOut).count == 1)
        #expect(try await phone.stored.isEmpty)
        #expect(try await phone.relaunch().screen == "welcome")
    }
}
