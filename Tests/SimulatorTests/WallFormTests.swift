import Apps
import Support
import Testing
import Web

@testable import Simulator

/// Anonymous Wall's two forms in both dialects: what they send, and the message for every
/// response.
@Suite(.timeLimit(.minutes(10))) struct WallFormTests {
    private static let validForm = ["email": "sam@campus.edu", "code": "012345"]
    private static let unreadable =
        "Network error: The data couldn't be read because it isn't in the correct format."

    /// A launched app that shows `screen`.
    private func phone(on screen: String, with backend: String = "example") async throws -> Phone {
        let phone = try await SimulatorFixture().phone("wall")
        phone.simulator.skipRetryDelays("main")
        _ = try await phone.launch(with: backend)
        _ = try await phone.open(screen)
        return phone
    }

    /// Performs `action` and expects `message` as an inline failure, and nothing else changed.
    private func expectFailure(
        _ phone: Phone, _ screen: String, _ action: String, _ message: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let result = try await phone.act(screen, action, Self.validForm)
        let now = try await phone.now
        #expect(
            result == ActionResult(screen: screen, succeeded: false), sourceLocation: sourceLocation
        )
        #expect(now.failure?.message == message, sourceLocation: sourceLocation)
        #expect(now.failure?.presentation == .inline, sourceLocation: sourceLocation)
        #expect(now.alert == nil, sourceLocation: sourceLocation)
        #expect(now.notice == nil, sourceLocation: sourceLocation)
        #expect(
            now.fieldValues == Self.validForm.filter { screen == "login" || $0.key == "email" },
            sourceLocation: sourceLocation)
        #expect(try await phone.stored.isEmpty, sourceLocation: sourceLocation)
    }

    // MARK: Addresses

    @Test(
        arguments: ["invalid", "@example.com", "user@", "a@b", "a b@example.com"],
        [("register", "submit"), ("login", "submit"), ("login", "getCode")])
    func `WALL-11, WALL-12, WALL-29 an invalid address sends nothing`(
        email: String, button: (screen: String, action: String)
    ) async throws {
        let phone = try await phone(on: button.screen)
        let typed = ["email": email, "code": "012345"]
        #expect(try await !phone.act(button.screen, button.action, typed).succeeded)
        let now = try await phone.now
        #expect(now.screen == button.screen)
        #expect(now.fieldErrors == ["email": "Please enter a valid email address"])
        #expect(now.fieldValues["email"] == email)
        if button.screen == "login" { #expect(now.fieldValues["code"] == "012345") }
        #expect(phone.stub.requests.isEmpty)
    }

    @Test(arguments: ["test@example.com", "user.name@domain.co.uk", "user+tag@example.org"])
    func `WALL-03, WALL-29 a valid address is sent`(email: String) async throws {
        let phone = try await phone(on: "register")
        phone.stub.script("POST /auth/register", .json(200, #"{"success":true}"#))
        #expect(try await phone.act("register", "submit", ["email": email]).succeeded)
        #expect(phone.stub.requests.map(\.text) == [#"{"email":"\#(email)"}"#])
        #expect(try await phone.now.alert?.title == "Success")
        #expect(try await phone.now.alert?.targetScreen == "login")
    }

    // MARK: Responses

    @Test(arguments: [
        (200, #"{"success":false,"message":"Not today"}"#, "Not today"),
        (200, "{}", unreadable), (200, "<html>", unreadable),
        (409, #"{"success":false,"message":"Registered"}"#, "Registered"),
        (500, "<html>", "Invalid response from server"),
        (500, "", "Invalid response from server"), (404, "{}", "Invalid response from server"),
    ]) func `WALL-19, WALL-20 a rejected registration shows an error`(
        status: Int, body: String, message: String
    ) async throws {
        let phone = try await phone(on: "register")
        phone.stub.always("POST /auth/register", .json(status, body))
        try await expectFailure(phone, "register", "submit", message)
    }

    @Test(arguments: [
        (
            401, #"{"success":false,"message":"Invalid verification code"}"#,
            "Invalid verification code"
        ),
        (
            401, #"{"success":false,"message":"Verification code has expired"}"#,
            "Verification code has expired"
        ),
        (
            200,
            #"{"success":false,"message":"Not you","user":{"id":"u1","email":"a@b.edu"},"token":"t"}"#,
            "Not you"
        ), (200, "<html>", unreadable), (200, "{}", unreadable),
        (200, #"{"success":false}"#, unreadable), (200, #"{"success":true}"#, unreadable),
        (200, #"{"success":true,"token":"t"}"#, unreadable),
        (200, #"{"success":true,"user":{"id":"u1","email":"a@b.edu"}}"#, unreadable),
        (500, "<html>", "Invalid response from server"),
    ])
    func `WALL-17, WALL-18, WALL-19, WALL-20, WALL-26 a failed or incomplete login shows an error`(
        status: Int, body: String, message: String
    ) async throws {
        let phone = try await phone(on: "login")
        phone.stub.script("POST /auth/login", .json(status, body))
        try await expectFailure(phone, "login", "submit", message)
    }

    /// A request of the Java dialect, its error response, and the message shown.
    @Test(arguments: [
        (
            "register", "submit", "POST /email/send-code", 409, "",
            "An account with this email already exists"
        ),
        (
            "login", "getCode", "POST /email/send-code", 400, #"{"error":"Email not found"}"#,
            "Email not found"
        ),
        (
            "login", "submit", "POST /login/email", 400, #"{"error":"Invalid or expired code"}"#,
            "Invalid or expired code"
        ),
        (
            "login", "submit", "POST /login/email", 400, #"{"error":"Code has expired"}"#,
            "Code has expired"
        ),
        (
            "login", "submit", "POST /login/email", 400,
            #"{"message":"Bad Request","_embedded":{"errors":[{"message":"Invalid JSON"}]}}"#,
            "Bad Request"
        ),
        (
            "login", "submit", "POST /login/email", 500, "no JSON", "Invalid response from server"
        ),
    ]) func `WALL-18, WALL-31 the Java server's errors are shown`(
        screen: String, action: String, call: String, status: Int, body: String, message: String
    ) async throws {
        let phone = try await phone(on: screen, with: "campus")
        phone.stub.script(call, .json(status, body))
        try await expectFailure(phone, screen, action, message)
        #expect(phone.stub.requests.count == 1)
    }

    @Test func `WALL-31 a school address is required only when the code is submitted`() async throws
    {
        let phone = try await phone(on: "register", with: "campus")
        let message = "Only school/educational email addresses are allowed for registration"
        phone.stub.script("POST /email/send-code", .json(200, #"{"message":"sent"}"#))
        phone.stub.script("POST /register/email", .json(400, #"{"error":"\#(message)"}"#))
        #expect(try await phone.act("register", "submit", Self.validForm).succeeded)
        _ = try await phone.open("login")
        try await expectFailure(phone, "login", "submit", message)
    }

    @Test func `WALL-21 a network failure is shown as one`() async throws {
        let phone = try await phone(on: "register")
        for (kind, message) in [
            (TransportFailure.Kind.nameLookup, "The Internet connection appears to be offline."),
            (.connection, "The Internet connection appears to be offline."),
            (.timeout, "The request timed out."), (.tls, "Could not connect to the server."),
        ] {
            phone.stub.always("POST /auth/register", .failure(kind))
            try await expectFailure(phone, "register", "submit", "Network error: " + message)
        }
    }
}
