import Apps
import Support
import Testing
import Web

@testable import Simulator

/// What CLARITY Pulse shows between a sign-in and its dashboard, and of its user's profile.
@Suite(.timeLimit(.minutes(10))) struct ClarityProfileTests {
    private static let me = "GET /api/v1/auth/me"

    // MARK: The introduction

    /// An app whose user just signed in for the first time on its phone.
    private static func firstSignIn() async throws -> Phone {
        let phone = try await SimulatorFixture().phone("clarity")
        _ = try await phone.launch()
        phone.stub.script(FirebaseWire.signIn, FirebaseWire.session(1))
        phone.stub.script(FirebaseWire.lookup, FirebaseWire.user(verified: true))
        let result = try await phone.login("avery@example.com", "Pass1234")
        #expect(result == ActionResult(screen: "track", succeeded: true))
        return phone
    }

    @Test func `CLA-70 the first sign-in of a phone leads through three pages`() async throws {
        let phone = try await Self.firstSignIn()
        for page in ["insights", "secure", "insights", "track", "insights", "secure"] {
            #expect(try await phone.open(page).shown?.screen == page)
        }
        let sent = phone.stub.requests.count
        phone.stub.script(FirebaseWire.lookup, FirebaseWire.user(verified: true))
        let result = try await phone.act("secure", "start")
        #expect(result == ActionResult(screen: "dashboard", succeeded: true))
        #expect(phone.stub.requests.count == sent)
        #expect(try await phone.stored[FirebaseWire.introduced] == "true")
        // The phone keeps it after signing out, so that the next sign-in shows the dashboard.
        phone.stub.script(Self.me, .json(200, "{}"))
        _ = try await phone.open("settings")
        #expect(try await phone.act("settings", "signOut").screen == "login")
        #expect(try await phone.userData.isEmpty)
        phone.stub.script(FirebaseWire.signIn, FirebaseWire.session(2))
        phone.stub.script(FirebaseWire.lookup, FirebaseWire.user(verified: true))
        #expect(try await phone.login("avery@example.com", "Pass1234").screen == "dashboard")
    }

    @Test(arguments: ["dashboard", "chat", "settings", "edit"])
    func `CLA-71 no other screen opens before the introduction is finished`(screen: String)
        async throws
    {
        let phone = try await Self.firstSignIn()
        let sent = phone.stub.requests.count
        #expect(try await phone.open(screen).redirected == "track")
        #expect(phone.stub.requests.count == sent)
    }

    @Test func `a link is followed after the introduction`() async throws {
        let phone = try await Self.firstSignIn()
        #expect(
            try await phone.simulator.openLink(phone.instance, "clarity://settings") == "track")
        _ = try await phone.open("secure")
        #expect(try await phone.act("secure", "start").screen == "settings")
    }

    @Test func `CLA-71 an interrupted introduction goes on after a relaunch, also offline`()
        async throws
    {
        let phone = try await Self.firstSignIn()
        phone.stub.script(FirebaseWire.lookup, FirebaseWire.user(verified: true))
        #expect(try await phone.relaunch().screen == "track")
        phone.stub.script(FirebaseWire.lookup, .failure(.nameLookup))
        #expect(try await phone.relaunch().screen == "dashboard")
        #expect(try await phone.open("dashboard").redirected == "track")
    }

    @Test func `CLA-71 the check of a verification leads to the introduction`() async throws {
        let phone = try await SimulatorFixture().phone("clarity")
        _ = try await phone.launch()
        phone.stub.script(FirebaseWire.signIn, FirebaseWire.session(1))
        phone.stub.script(
            FirebaseWire.lookup, FirebaseWire.user(verified: false),
            FirebaseWire.user(verified: true))
        #expect(try await phone.login("avery@example.com", "Pass1234").screen == "verify")
        #expect(try await phone.act("verify", "verified").screen == "track")
    }

    // MARK: The names

    private static let names = ["first": "Ivory", "last": "Stone"]

    @Test func `CLA-72 a name is saved at Firebase and at the app's backend`() async throws {
        let phone = try await FirebaseWire.signedIn()
        phone.stub.script(
            Self.me, .json(200, #"{"first_name":"Avery","last_name":"Quinn"}"#),
            .json(200, #"{"first_name":"Ivory","last_name":"Stone"}"#))
        phone.stub.always(FirebaseWire.lookup, FirebaseWire.user(verified: true))
        #expect(
            try await phone.open("edit").shown?.fieldValues
                == ["first": "Avery", "last": "Quinn"])
        phone.stub.script(FirebaseWire.update, .json(200, #"{"displayName":"Ivory Stone"}"#))
        phone.stub.script(FirebaseWire.profile, .json(200, "{}"))
        let result = try await phone.act("edit", "submit", Self.names)
        #expect(result == ActionResult(screen: "settings", succeeded: true))
        #expect(try await phone.now.notice == "Profile updated successfully")
        #expect(
            phone.stub.sent(FirebaseWire.update).map(\.text) == [
                #"{"idToken":"\#(Wire.token(1))","displayName":"Ivory Stone","#
                    + #""returnSecureToken":false}"#
            ])
        let saved = try #require(phone.stub.sent(FirebaseWire.profile).first)
        #expect(saved.bearer == Wire.token(1))
        #expect(
            saved.text
                == #"{"first_name":"Ivory","last_name":"Stone","terms_accepted":true,"#
                + #""privacy_policy_accepted":true}"#)
        let shown = try await phone.open("settings").shown?.availableValues
        #expect(shown?["firstName"] == "Ivory")
    }

    @Test func `CLA-72 a name that cannot be saved stays in the form alone`() async throws {
        let phone = try await FirebaseWire.signedIn()
        phone.stub.script(Self.me, .json(200, #"{"first_name":"Avery","last_name":"Quinn"}"#))
        _ = try await phone.open("edit")
        phone.stub.script(FirebaseWire.update, .json(200, "{}"))
        phone.stub.script(FirebaseWire.profile, .json(500, "{}"))
        #expect(try await !phone.act("edit", "submit", Self.names).succeeded)
        let now = try await phone.now
        #expect(
            now.failure?.message
                == "Failed to update profile: CLARITY did not save your name. Please try again.")
        #expect(now.fieldValues == Self.names)
        #expect(now.availableValues["firstName"] == "Avery")
    }

    @Test func `CLA-72 an empty name sends no request`() async throws {
        let phone = try await FirebaseWire.signedIn()
        phone.stub.script(Self.me, .json(200, "{}"))
        _ = try await phone.open("edit")
        let sent = phone.stub.requests.count
        #expect(try await !phone.act("edit", "submit", ["first": " ", "last": "Stone"]).succeeded)
        #expect(
            Set(try await phone.now.fieldErrors.values) == ["All fields are required."])
        #expect(phone.stub.requests.count == sent)
    }

    // MARK: The registration's response

    private static let response =
        #"{"user_id":"u1","email":"avery@example.com","status":"pending_verification","#
        + #""verification_email_sent":false,"created_at":"2026-01-02T03:04:05Z"}"#

    /// An app whose user has just registered.
    private static func registered() async throws -> Phone {
        let phone = try await FirebaseWire.phone()
        phone.stub.script(FirebaseWire.signUp, FirebaseWire.session(1))
        phone.stub.script(FirebaseWire.profile, .json(201, response))
        phone.stub.script(FirebaseWire.sendCode, .json(200, "{}"))
        #expect(try await phone.act("register", "submit", FirebaseWire.form).succeeded)
        return phone
    }

    @Test func `CLA-07 the backend's response is kept for its account`() async throws {
        let phone = try await Self.registered()
        #expect(try await phone.stored["registration"] == Self.response)
        _ = try await phone.open("login")
        phone.stub.script(FirebaseWire.signIn, FirebaseWire.session(2))
        phone.stub.always(FirebaseWire.lookup, FirebaseWire.user(verified: false))
        #expect(try await phone.login("Avery@example.com", "Pass1234").screen == "verify")
        #expect(try await phone.relaunch().screen == "verify")
        let shown = try await phone.open("verify").shown?.availableValues["registration"]
        #expect(shown?["status"] == "pending_verification")
        _ = try await phone.act("verify", "signOut")
        #expect(try await phone.userData.isEmpty)
    }

    @Test func `CLA-07 another account's sign-in deletes the response`() async throws {
        let phone = try await Self.registered()
        _ = try await phone.open("login")
        phone.stub.script(FirebaseWire.signIn, FirebaseWire.session(2))
        phone.stub.script(FirebaseWire.lookup, FirebaseWire.user(verified: false))
        #expect(try await phone.login("ivory@example.com", "Pass1234").screen == "verify")
        #expect(try await phone.stored["registration"] == nil)
    }
}
