import Apps
import Core
import Support
import Testing
import Web

@testable import Simulator

/// CLARITY Pulse in the engine: Firebase's tokens, the three calls of a registration, and screens
/// for verified users.
@Suite(.timeLimit(.minutes(10))) struct ClarityTests {
    // MARK: Sessions

    @Test func `CLA-01 a session exists only between signing in and signing out`() async throws {
        let phone = try await FirebaseWire.phone()
        #expect(try await phone.screen == "login")
        #expect(try await phone.now.session == nil)
        phone.stub.script(FirebaseWire.signIn, FirebaseWire.session(1))
        phone.stub.script(FirebaseWire.lookup, FirebaseWire.user(verified: true))
        _ = try await phone.login("avery@example.com", "Pass1234")
        #expect(try await phone.now.session?.state == .active)
        _ = try await phone.act("settings", "signOut")
        #expect(try await phone.now.session == nil)
        #expect(phone.fixture.events(.sessionBegan).count == 1)
        #expect(phone.fixture.events(.sessionEnded).count == 1)
    }

    @Test func `CLA-25, CLA-44, CLA-67 repeated logins and logouts give the same result`()
        async throws
    {
        let phone = try await FirebaseWire.phone()
        phone.stub.always(FirebaseWire.signIn, FirebaseWire.session(1))
        phone.stub.always(FirebaseWire.lookup, FirebaseWire.user(verified: true))
        phone.stub.always("GET /api/v1/auth/me", .json(200, "{}"))
        for round in 1...3 {
            let result = try await phone.login("avery@example.com", "Pass1234")
            #expect(result == ActionResult(screen: "dashboard", succeeded: true))
            _ = try await phone.open("settings")
            #expect(try await phone.act("settings", "signOut").screen == "login")
            // The sign-in with its lookup, and the two calls that load the settings.
            #expect(phone.stub.requests.count == 4 * round)
        }
    }

    @Test func `CLA-08, CLA-09 signing out sends no request and clears the storage`() async throws {
        let phone = try await FirebaseWire.signedIn()
        let before = phone.stub.requests.count
        let result = try await phone.act("settings", "signOut")
        #expect(result.screen == "login")
        #expect(phone.stub.requests.count == before)
        #expect(try await phone.userData.isEmpty)
        #expect(try await phone.now.availableValues == [FirebaseWire.introduced: "true"])
    }

    @Test func `CLA-11 a token about to expire is refreshed before it is sent`() async throws {
        let phone = try await FirebaseWire.signedIn(expires: 299)
        phone.stub.script(FirebaseWire.token, FirebaseWire.refreshed(2))
        phone.stub.script(FirebaseWire.lookup, FirebaseWire.user(verified: true))
        #expect(try await phone.relaunch().screen == "dashboard")
        let form = try #require(phone.stub.sent(FirebaseWire.token).first)
        #expect(form.text == "grant_type=refresh_token&refresh_token=refresh-1")
        #expect(form.headers["Content-Type"] == "application/x-www-form-urlencoded")
        #expect(
            phone.stub.sent(FirebaseWire.lookup).last?.text == #"{"idToken":"\#(Wire.token(2))"}"#)
    }

    @Test func `a rejected new token does not affect another user's session`() async throws {
        let phone = try await FirebaseWire.phone()
        phone.stub.script(FirebaseWire.signUp, FirebaseWire.session(1), FirebaseWire.session(7))
        phone.stub.always(FirebaseWire.profile, .json(201, "{}"))
        phone.stub.script(
            FirebaseWire.sendCode, .json(200, "{}"), FirebaseWire.error("INVALID_ID_TOKEN"))
        _ = try await phone.act("register", "submit", FirebaseWire.form)
        let stored = try await phone.userData
        #expect(stored.count > 1)
        #expect(stored["unfinished_registration"] == nil)
        var otherForm = FirebaseWire.form
        otherForm["email"] = "blake@example.com"
        #expect(try await !phone.act("register", "submit", otherForm).succeeded)
        // Neither refreshed nor repeated with the other user's token.
        #expect(phone.stub.sent(FirebaseWire.token).isEmpty)
        #expect(phone.stub.sent(FirebaseWire.sendCode).count == 2)
        let unfinished = "unfinished_registration"
        #expect(try await phone.userData.filter { $0.key != unfinished } == stored)
    }

    @Test func `a user that could not be loaded at launch is loaded later`() async throws {
        let phone = try await FirebaseWire.signedIn()
        try await phone.simulator.relaunch(phone.instance, isKill: false)
        phone.stub.script(FirebaseWire.lookup, .failure(.connection))
        #expect(try await phone.launch().screen == "dashboard")
        phone.stub.script(FirebaseWire.lookup, FirebaseWire.user(verified: true))
        let shown = try await phone.open("dashboard").shown
        #expect(shown?.availableValues["user"] != nil)
        // It is loaded only once.
        let sent = phone.stub.requests.count
        _ = try await phone.open("dashboard")
        #expect(phone.stub.requests.count == sent)
    }

    @Test func `an action that the backend does not support is rejected with its name`()
        async throws
    {
        let phone = try await FirebaseWire.signedIn()
        try await phone.simulator.chooseBackend(
            phone.instance, backend: "cognito", base: nil, settings: nil)
        let problem = try await #require(throws: Problem.self) {
            try await phone.act("verify", "resend")
        }
        #expect(problem.status == 409)
        #expect(problem.detail.contains("cognito does not have"))
    }

    @Test func `CLA-11 without a signed-in user no request is sent`() async throws {
        let phone = try await FirebaseWire.phone()
        #expect(try await phone.open("settings").redirected == "login")
        #expect(phone.stub.requests.isEmpty)
    }

    @Test(arguments: ["TOKEN_EXPIRED", "INVALID_ID_TOKEN"])
    func `CLA-11 a token rejected in a body is refreshed like a bearer token`(code: String)
        async throws
    {
        let phone = try await FirebaseWire.signedIn(verified: false)
        phone.stub.script(
            FirebaseWire.lookup, FirebaseWire.error(code), FirebaseWire.user(verified: true))
        phone.stub.script(FirebaseWire.token, FirebaseWire.refreshed(2))
        let result = try await phone.act("verify", "verified")
        #expect(result == ActionResult(screen: "dashboard", succeeded: true))
        #expect(
            phone.stub.sent(FirebaseWire.lookup).map(\.text).suffix(2) == [
                #"{"idToken":"\#(Wire.token(1))"}"#, #"{"idToken":"\#(Wire.token(2))"}"#,
            ])
    }

    @Test func `CLA-11 a token rejected at launch is refreshed without a message`() async throws {
        let phone = try await FirebaseWire.signedIn()
        phone.stub.script(
            FirebaseWire.lookup, FirebaseWire.error("TOKEN_EXPIRED"),
            FirebaseWire.user(verified: true))
        phone.stub.script(FirebaseWire.token, FirebaseWire.refreshed(2))
        #expect(try await phone.relaunch().screen == "dashboard")
        #expect(try await phone.now.failure == nil)
        #expect(
            phone.stub.sent(FirebaseWire.token).map(\.text) == [
                "grant_type=refresh_token&refresh_token=refresh-1"
            ])
    }

    @Test(arguments: [
        ("INVALID_REFRESH_TOKEN", "Session expired. Please sign in again."),
        ("USER_DISABLED", "This account has been disabled. Please contact support."),
    ]) func `CLA-40 a rejected refresh at launch leads to the login`(code: String, message: String)
        async throws
    {
        let phone = try await FirebaseWire.signedIn(expires: 60)
        phone.stub.script(FirebaseWire.token, FirebaseWire.error(code))
        #expect(try await phone.relaunch().screen == "login")
        #expect(try await phone.now.failure?.message == message)
        #expect(try await phone.userData.isEmpty)
    }

    @Test func `CLA-61 a user disabled meanwhile is signed out with a message`() async throws {
        let phone = try await FirebaseWire.signedIn()
        phone.stub.script(FirebaseWire.lookup, FirebaseWire.error("USER_DISABLED"))
        #expect(try await phone.relaunch().screen == "login")
        #expect(
            try await phone.now.failure?.message
                == "This account has been disabled. Please contact support.")
        #expect(try await phone.userData.isEmpty)
    }

    // MARK: Relaunches

    @Test func `CLA-40 a relaunch finds the session and loads its user`() async throws {
        let phone = try await FirebaseWire.signedIn()
        phone.stub.script(FirebaseWire.lookup, FirebaseWire.user(verified: true))
        #expect(try await phone.relaunch().screen == "dashboard")
    }

    @Test func `CLA-51 a relaunch shows an unverified user the verify screen`() async throws {
        let phone = try await FirebaseWire.signedIn(verified: false)
        phone.stub.script(FirebaseWire.lookup, FirebaseWire.user(verified: false))
        #expect(try await phone.relaunch().screen == "verify")
    }

    @Test func `CLA-40 an offline relaunch uses the stored user`() async throws {
        let phone = try await FirebaseWire.signedIn()
        phone.stub.script(FirebaseWire.lookup, .failure(.nameLookup))
        phone.stub.always(FirebaseWire.lookup, .failure(.nameLookup))
        #expect(try await phone.relaunch().screen == "dashboard")
        let shown = try #require(try await phone.open("dashboard").shown)
        #expect(
            shown.failure?.message == "Unable to connect to the server. Please check your"
                + " internet connection and try again.")
        #expect(try await phone.userData.count == 3)
    }

    @Test(arguments: [
        "dashboard", "chat", "settings", "edit", "track", "insights", "secure",
    ])
    func `CLA-51 an unverified user is redirected to the verify screen`(screen: String)
        async throws
    {
        let phone = try await FirebaseWire.signedIn(verified: false)
        #expect(try await phone.open(screen).redirected == "verify")
        #expect(try await phone.open("verify").shown != nil)
    }

    @Test func `CLA-51 an action of an inaccessible screen is not performed`() async throws {
        let phone = try await FirebaseWire.signedIn(verified: false)
        let result = try await phone.act("settings", "delete")
        #expect(result == ActionResult(screen: "verify", succeeded: false))
        #expect(phone.stub.sent("POST /v1/accounts:delete").isEmpty)
    }

    @Test func `names that the backend does not have are requested only once`() async throws {
        let phone = try await FirebaseWire.signedIn()
        phone.stub.script("GET /api/v1/auth/me", .json(200, "{}"))
        phone.stub.script(FirebaseWire.lookup, FirebaseWire.user(verified: true))
        for _ in 0..<2 { #expect(try await phone.open("settings").shown != nil) }
        // With the sign-in, and when the settings were opened.
        #expect(phone.stub.sent(FirebaseWire.lookup).count == 2)
    }

    // MARK: Registering

    @Test func `CLA-04, CLA-05, CLA-06 a registration makes three calls with its token`()
        async throws
    {
        let phone = try await FirebaseWire.phone()
        phone.stub.script(FirebaseWire.signUp, FirebaseWire.session(1))
        phone.stub.script(FirebaseWire.profile, .json(201, #"{"user_id":"u"}"#))
        phone.stub.script(FirebaseWire.sendCode, .json(200, "{}"))
        let result = try await phone.act("register", "submit", FirebaseWire.form)
        #expect(result.succeeded)
        #expect(
            phone.stub.requests.map { String($0.url.split(separator: "/").last!) }.map {
                $0.split(separator: "?")[0]
            } == ["accounts:signUp", "register", "accounts:sendOobCode"])
        #expect(phone.stub.sent(FirebaseWire.profile)[0].bearer == Wire.token(1))
        #expect(
            phone.stub.sent(FirebaseWire.profile)[0].text
                == #"{"email":"avery@example.com","password":"Pass1234","#
                + #""first_name":"Avery","last_name":"Quinn","#
                + #""terms_accepted":true,"privacy_policy_accepted":true}"#)
        #expect(
            phone.stub.sent(FirebaseWire.sendCode)[0].text
                == #"{"requestType":"VERIFY_EMAIL","idToken":"\#(Wire.token(1))"}"#)
        #expect(try await phone.now.alert?.title == "Registration Successful")
    }

    @Test(
        arguments: [
            (.json(500, "{}"), "We couldn't finish creating your account. Please try again."),
            (.json(200, "no json"), "Unable to read the server's answer. Please try again."),
            (
                .failure(.connection),
                "Unable to connect to the server. Please check your internet connection and try again."
            ),
        ] as [(StubTransport.Reply, String)])
    func `CLA-63 a retry after a failed second call does not create the account twice`(
        response: StubTransport.Reply, message: String
    ) async throws {
        let phone = try await FirebaseWire.phone()
        phone.stub.script(FirebaseWire.signUp, FirebaseWire.session(1))
        phone.stub.script(FirebaseWire.profile, response, .json(201, #"{"user_id":"u"}"#))
        phone.stub.script(FirebaseWire.sendCode, .json(200, "{}"))
        let failed = try await phone.act("register", "submit", FirebaseWire.form)
        #expect(!failed.succeeded)
        #expect(try await phone.now.failure?.message == message)
        #expect(try await Array(phone.userData.keys) == ["unfinished_registration"])
        var changedForm = FirebaseWire.form
        changedForm["firstName"] = "Ivory"
        let retry = try await phone.act("register", "submit", changedForm)
        #expect(retry.succeeded)
        #expect(phone.stub.sent(FirebaseWire.signUp).count == 1)
        #expect(phone.stub.sent(FirebaseWire.profile).count == 2)
        #expect(try await phone.userData.count == 3)
    }

    @Test func `a login keeps no values of a previous registration`() async throws {
        let phone = try await FirebaseWire.phone()
        phone.stub.script(FirebaseWire.signUp, FirebaseWire.session(1))
        phone.stub.script(FirebaseWire.profile, .json(201, #"{"user_id":"u"}"#))
        phone.stub.script(FirebaseWire.sendCode, .json(200, "{}"))
        _ = try await phone.act("register", "submit", FirebaseWire.form)
        #expect(try await phone.now.availableValues["firstName"] == "Avery")
        _ = try await phone.open("login")
        phone.stub.script(FirebaseWire.signIn, FirebaseWire.session(2))
        phone.stub.script(FirebaseWire.lookup, FirebaseWire.user(verified: true))
        _ = try await phone.login("other@example.com", "Pass1234")
        let values = try await phone.now.availableValues
        #expect(values["firstName"] == nil)
        #expect(values["displayName"] == "Avery Quinn")
    }

    @Test func `the verify screen mentions a mail only if one was sent`() async throws {
        let phone = try await FirebaseWire.signedIn(verified: false)
        let app = try phone.simulator.app(phone.instance)
        let firstText = {
            let context = try await phone.simulator.context(phone.instance, app)
            return app.screen("verify")?.textSegments(context.variables()).first?.text
        }
        #expect(try await firstText()?.hasPrefix("We've sent you") == false)
        phone.stub.script(FirebaseWire.sendCode, .json(200, "{}"))
        _ = try await phone.act("verify", "resend")
        #expect(try await firstText()?.hasPrefix("We've sent you") == true)
    }

    // MARK: Deleting the account

    @Test func `deleting the account ends its session`() async throws {
        let phone = try await FirebaseWire.signedIn()
        phone.stub.script("POST /v1/accounts:delete", .json(200, "{}"))
        let result = try await phone.act("settings", "delete")
        #expect(result == ActionResult(screen: "login", succeeded: true))
        #expect(phone.stub.requests.last?.text == #"{"idToken":"\#(Wire.token(1))"}"#)
        #expect(try await phone.userData.isEmpty)
    }

    // MARK: Resetting the password

    @Test(arguments: [200, 400])
    func `CLA-64 a reset shows the same notice for known and unknown addresses`(
        status: Int
    ) async throws {
        let phone = try await FirebaseWire.phone()
        phone.stub.script(
            FirebaseWire.sendCode,
            status == 200
                ? .json(200, #"{"email":"a@example.com"}"#)
                : FirebaseWire.error("EMAIL_NOT_FOUND"))
        let result = try await phone.act("reset", "submit", ["email": "a@example.com"])
        #expect(result == ActionResult(screen: "reset", succeeded: true))
        #expect(try await phone.now.notice == "Password reset email sent. Please check your inbox.")
    }
}
