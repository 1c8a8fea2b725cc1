import Support
import Testing
import Web

@testable import Simulator

/// CLARITY Pulse with its later backend: one call registers, and errors are FastAPI's.
@Suite(.timeLimit(.minutes(10))) struct ClarityCognitoTests {
    private static let register = "POST /api/v1/auth/register"
    private static let login = "POST /api/v1/auth/login"
    private static let me = "GET /api/v1/auth/me"
    private static let refresh = "POST /api/v1/auth/refresh"
    private static let forgot = "POST /api/v1/auth/forgot-password"
    private static let confirm = "POST /api/v1/auth/confirm-email"

    private static let session = StubTransport.Reply.json(
        200, #"{"access_token":"access-1","refresh_token":"refresh-1","token_type":"bearer"}"#)
    private static let user = StubTransport.Reply.json(
        200,
        #"{"email":"avery@example.com","email_verified":true,"display_name":"Avery Quinn"}"#)

    private static func problem(_ status: Int, _ detail: String) -> StubTransport.Reply {
        .json(status, #"{"detail":{"type":"x","title":"A title","detail":"\#(detail)"}}"#)
    }

    private func phone() async throws -> Phone { try await FirebaseWire.phone(backend: "cognito") }

    typealias Row = (reply: StubTransport.Reply, message: String)

    private static let tooManyAttempts = "Too many attempts. Please try again later."

    static let failures: [(screen: String, call: String, rows: [Row])] = [
        (
            "login", login,
            [
                (problem(401, "No such user"), "Invalid email or password"),
                (problem(429, "Locked for 15 min"), tooManyAttempts),
                (.json(429, #"{"error":"Rate limit exceeded: 10 per 1 minute"}"#), tooManyAttempts),
                (.json(500, #"{"detail":"Login failed"}"#), "Login failed"),
            ]
        ),
        (
            "register", register,
            [
                (
                    .json(409, #"{"detail":"User already exists"}"#),
                    "This email address is already registered. Please try signing in instead."
                ),
                (
                    .json(422, #"{"detail":[{"loc":["body","password"]}]}"#),
                    "Please choose a stronger password with at least 8 characters, "
                        + "including uppercase, lowercase, and numbers."
                ), (.json(400, #"{"detail":"Invalid email"}"#), "Invalid email"),
                (
                    problem(403, "Self-registration is currently disabled"),
                    "Self-registration is currently disabled"
                ), (problem(429, "Later"), tooManyAttempts),
            ]
        ), ("reset", forgot, [(problem(429, "Later"), tooManyAttempts)]),
        (
            "confirm", confirm,
            [400, 404, 422].map {
                (
                    problem($0, "No such user"),
                    "That code is not valid. Please check it or ask for a new one."
                )
            } + [(problem(429, "Later"), tooManyAttempts)]
        ),
    ]

    @Test(arguments: failures)
    func `CLA-55 every error of the later backend has its message`(
        screen: String, call: String, rows: [Row]
    ) async throws {
        let phone = try await phone()
        for row in rows {
            phone.stub.script(call, row.reply)
            let form = FirebaseWire.form(changing: ["code": "000000"])
            let result = try await phone.act(screen, "submit", form)
            #expect(result == ActionResult(screen: screen, succeeded: false), "\(row)")
            let now = try await phone.now
            #expect(now.failure?.message ?? now.fieldErrors["code"] == row.message, "\(row)")
        }
        #expect(try await phone.userData.isEmpty)
    }

    @Test(arguments: [.json(202, #"{"requires_email_verification":true}"#), session])
    func `one call registers, with or without email confirmation`(response: StubTransport.Reply)
        async throws
    {
        let phone = try await phone()
        phone.stub.script(Self.register, response)
        #expect(try await phone.act("register", "submit", FirebaseWire.form).succeeded)
        #expect(
            phone.stub.requests.map(\.text) == [
                #"{"email":"avery@example.com","password":"Pass1234","#
                    + #""display_name":"Avery Quinn"}"#
            ])
        phone.stub.script(Self.login, Self.session)
        phone.stub.script(Self.me, Self.user)
        #expect(try await phone.login("avery@example.com", "Pass1234").screen == "dashboard")
    }

    @Test func `an unconfirmed user is led to the confirmation code`() async throws {
        let phone = try await phone()
        phone.stub.script(Self.login, Self.problem(403, "Please verify"))
        #expect(try await phone.login("avery@example.com", "Pass1234").screen == "confirm")
        let shown = try #require(try await phone.open("confirm").shown)
        #expect(shown.failure?.message == "Your email isn't verified yet.")
        #expect(shown.availableValues["email"] == "avery@example.com")
        phone.stub.script(Self.confirm, .json(200, "{}"))
        let form = ["email": "avery@example.com", "code": "123456"]
        #expect(try await phone.act("confirm", "submit", form).screen == "login")
        #expect(try await phone.now.notice == "Your email is verified. Please log in.")
        #expect(phone.stub.requests.last?.text == #"{"email":"avery@example.com","code":"123456"}"#)
    }

    @Test(arguments: [.json(200, "{}"), problem(404, "No such user")])
    func `CLA-64 a reset gives the same result for known and unknown addresses`(
        response: StubTransport.Reply
    )
        async throws
    {
        let phone = try await phone()
        phone.stub.script(Self.forgot, response)
        let result = try await phone.act("reset", "submit", ["email": "avery@example.com"])
        #expect(result == ActionResult(screen: "newPassword", succeeded: true))
        #expect(try await phone.now.failure == nil)
    }

    @Test func `CLA-40 a refresh rejected with 500 ends the session`() async throws {
        let phone = try await phone()
        phone.stub.script(Self.login, Self.session)
        phone.stub.script(Self.me, Self.user, Self.problem(401, "Expired"))
        #expect(try await phone.login("avery@example.com", "Pass1234").screen == "dashboard")
        phone.stub.script(Self.refresh, Self.problem(500, "Failed to refresh token"))
        #expect(try await phone.relaunch().screen == "login")
        #expect(
            try await phone.now.failure?.message == "Session expired. Please sign in again.")
        #expect(try await phone.userData.isEmpty)
    }

    // MARK: The profile and its end

    private func signedIn() async throws -> Phone {
        let phone = try await phone()
        phone.stub.script(Self.login, Self.session)
        phone.stub.script(Self.me, Self.user)
        #expect(try await phone.login("avery@example.com", "Pass1234").screen == "dashboard")
        return phone
    }

    @Test func `CLA-72 the later backend saves both names as one`() async throws {
        let phone = try await signedIn()
        #expect(
            try await phone.open("edit").shown?.fieldValues
                == ["first": "Avery", "last": "Quinn"])
        let update = "PUT /api/v1/auth/me"
        phone.stub.script(
            update, Self.problem(500, "Failed to update user"),
            .json(200, #"{"user_id":"c1","display_name":"Ivory Quinn","updated":true}"#))
        let form = ["first": "Ivory", "last": "Quinn"]
        #expect(try await !phone.act("edit", "submit", form).succeeded)
        #expect(
            try await phone.now.failure?.message
                == "Failed to update profile: Failed to update user")
        #expect(try await phone.act("edit", "submit", form).screen == "settings")
        #expect(try await phone.now.availableValues["displayName"] == "Ivory Quinn")
        #expect(
            phone.stub.sent(update).map(\.text) == [
                #"{"display_name":"Ivory Quinn"}"#, #"{"display_name":"Ivory Quinn"}"#,
            ])
    }

    private static let delete = "POST /"

    private static func poolError(_ type: String, _ message: String) -> StubTransport.Reply {
        .json(400, #"{"__type":"\#(type)","message":"\#(message)"}"#)
    }

    @Test(arguments: [.json(200, ""), poolError("UserNotFoundException", "User does not exist.")])
    func `CLA-74 Cognito deletes the user of the access token`(response: StubTransport.Reply)
        async throws
    {
        let phone = try await signedIn()
        phone.stub.script(Self.delete, response)
        #expect(try await phone.act("settings", "delete").screen == "login")
        let sent = try #require(phone.stub.requests.last)
        #expect(sent.url == "https://cognito-idp.us-east-1.amazonaws.com/")
        #expect(sent.text == #"{"AccessToken":"access-1"}"#)
        #expect(
            sent.headers["X-Amz-Target"] == "AWSCognitoIdentityProviderService.DeleteUser")
        #expect(sent.headers["Content-Type"] == "application/x-amz-json-1.1")
        #expect(try await phone.userData.isEmpty)
    }

    @Test func `CLA-74 an expired access token is refreshed before the user is deleted`()
        async throws
    {
        let phone = try await signedIn()
        phone.stub.script(
            Self.delete, Self.poolError("NotAuthorizedException", "Access Token has expired"),
            .json(200, ""))
        phone.stub.script(
            Self.refresh, .json(200, #"{"access_token":"access-2","refresh_token":"refresh-1"}"#))
        #expect(try await phone.act("settings", "delete").screen == "login")
        #expect(phone.stub.requests.last?.text == #"{"AccessToken":"access-2"}"#)
    }

    @Test(arguments: [
        (202, #"{"requires_email_verification":true}"#, true),
        (200, #"{"access_token":"access-1","refresh_token":"refresh-1"}"#, false),
    ]) func `CLA-77 a code counts as mailed only if the server asks for one`(
        status: Int, body: String, isMailed: Bool
    ) async throws {
        let phone = try await phone()
        phone.stub.script(Self.register, .json(status, body))
        #expect(try await phone.act("register", "submit", FirebaseWire.form).succeeded)
        let mailed = try await phone.now.availableValues["mailed"]?.scalarText ?? ""
        #expect(mailed.isEmpty != isMailed)
        let now = try await phone.now
        #expect(now.alert?.title == (isMailed ? "Registration Successful" : nil))
        #expect(now.notice == (isMailed ? nil : "Your account has been created. Please log in."))
    }
}
