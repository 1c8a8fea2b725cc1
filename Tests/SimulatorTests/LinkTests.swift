import Support
import Testing
import Web

@testable import Simulator

/// Links with an app's own URL scheme.
@Suite(.timeLimit(.minutes(10))) struct LinkTests {
    private func phone() async throws -> Phone { try await SimulatorFixture().phone() }

    @Test func `a link to a protected screen is followed after the sign-in, once`() async throws {
        let phone = try await phone()
        _ = try await phone.launch()
        #expect(try await phone.follow("mystica://settings") == "login")
        #expect(try await phone.now.linkedScreen == "settings")
        phone.stub.script("POST /auth/login", Wire.session(Wire.token(1), "refresh-token-1"))
        #expect(try await phone.login().screen == "settings")
        #expect(try await phone.now.linkedScreen == nil)
        phone.stub.script("POST /auth/logout", .json(200, #"{"success":true}"#))
        _ = try await phone.act("settings", "logout")
        phone.stub.script("POST /auth/login", Wire.session(Wire.token(2), "refresh-token-2"))
        #expect(try await phone.login().screen == "map")
    }

    @Test func `a link that starts the app is followed after the launch`() async throws {
        let phone = try await phone().signedIn()
        try await phone.simulator.relaunch(phone.instance, isKill: false)
        #expect(try await phone.follow("mystica://settings") == "splash")
        phone.stub.script("GET /auth/me", Wire.me)
        #expect(try await phone.launch().screen == "settings")
    }

    @Test func `a link is remembered across the verification`() async throws {
        let phone = try await FirebaseWire.phone()
        #expect(try await phone.follow("clarity://settings") == "login")
        phone.stub.script(FirebaseWire.signIn, FirebaseWire.session(1))
        phone.stub.script(FirebaseWire.lookup, FirebaseWire.user(verified: false))
        #expect(try await phone.login("avery@example.com", "Pass1234").screen == "verify")
        phone.stub.script(FirebaseWire.lookup, FirebaseWire.user(verified: true))
        #expect(try await phone.act("verify", "verified").screen == "settings")
    }

    @Test func `a link is remembered across the introduction, which it does not repeat`()
        async throws
    {
        let phone = try await SimulatorFixture().phone("clarity")
        _ = try await phone.launch()
        #expect(try await phone.follow("clarity://settings") == "login")
        phone.stub.script(FirebaseWire.signIn, FirebaseWire.session(1))
        phone.stub.script(FirebaseWire.lookup, FirebaseWire.user(verified: true))
        #expect(try await phone.login("avery@example.com", "Pass1234").screen == "track")
        #expect(try await phone.act("secure", "start").screen == "settings")
        #expect(try await phone.now.linkedScreen == nil)
    }

    @Test func `with a session the screen is opened and loaded`() async throws {
        let phone = try await phone().signedIn()
        _ = try await phone.open("settings")
        phone.stub.script("GET /auth/me", Wire.me)
        #expect(try await phone.follow("MYSTICA://map/?from=mail#top") == "map")
        #expect(try await phone.now.linkedScreen == nil)
    }

    @Test func `a session that ends during the load leads back to the link after the sign-in`()
        async throws
    {
        let phone = try await phone().signedIn()
        _ = try await phone.open("settings")
        phone.stub.script("GET /auth/me", Wire.error(401))
        phone.stub.script("POST /auth/refresh", Wire.error(401))
        #expect(try await phone.follow("mystica://map") == "login")
        #expect(try await phone.now.linkedScreen == "map")
    }

    @Test func `a link opens an app in the background`() async throws {
        let phone = try await phone().signedIn()
        phone.stub.always("GET /auth/me", Wire.me)
        try await phone.simulator.enterBackground(phone.instance)
        #expect(try await phone.follow("mystica://settings") == "settings")
        #expect(try await !phone.now.isInBackground)
    }

    @Test func `a public screen is opened at once and not remembered`() async throws {
        let phone = try await phone()
        _ = try await phone.launch()
        #expect(try await phone.follow("mystica://register") == "register")
        #expect(try await phone.now.linkedScreen == nil)
    }

    @Test(arguments: [
        ("", "foreign-link"), ("map", "foreign-link"), ("https://mystica/map", "foreign-link"),
        ("bob://map", "foreign-link"), ("mystica://", "unknown-screen"),
        ("mystica://castle", "unknown-screen"), ("mystica://splash", "unknown-screen"),
    ]) func `any other link is an error and changes nothing`(_ link: String, _ code: String)
        async throws
    {
        let phone = try await phone()
        _ = try await phone.launch()
        let problem = await #expect(throws: Problem.self) { try await phone.follow(link) }
        #expect(problem?.code == code)
        #expect(try await phone.screen == "login")
    }

    @Test func `a cold start forgets the link`() async throws {
        let phone = try await phone()
        _ = try await phone.launch()
        _ = try await phone.follow("mystica://settings")
        _ = try await phone.relaunch()
        #expect(try await phone.now.linkedScreen == nil)
    }
}

extension Phone {
    fileprivate func follow(_ link: String) async throws -> String {
        try await simulator.openLink(instance, link)
    }
}
