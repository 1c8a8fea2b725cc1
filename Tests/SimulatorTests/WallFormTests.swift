import Apps
import Support
import Testing
import Web

@testable import Simulator

/// Anonymous Wall's two forms, in both dialects: what they send, and what is
/// said of every answer.
@Suite(.timeLimit(.minutes(10))) struct WallFormTests {
    private static let sam = ["email": "sam@campus.edu", "code": "012345"]
    private static let unreadable =
        "Network error: The data couldn't be read because it isn't in the correct format."

    /// On one of the screens, with what would sign in typed there.
    private func phone(on screen: String, with backend: String = "example") async throws -> Phone {
        let phone = try await SimulatorFixture().phone("wall")
        _ = try await phone.launch(with: backend)
        _ = try await phone.open(screen)
        return phone
    }

    /// Presses `action` and finds `words` in red, with nothing else changed.
    private func refused(
        _ phone: Phone, _ screen: String, _ action: String, _ words: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let result = try await phone.act(screen, action, Self.sam)
        let now = try await phone.now
        #expect(
            result == ActionResult(screen: screen, succeeded: false), sourceLocation: sourceLocation
        )
        #expect(now.failure?.message == words, sourceLocation: sourceLocation)
        #expect(now.failure?.presentation == .inline, sourceLocation: sourceLocation)
        #expect(now.alert == nil, sourceLocation: sourceLocation)
        #expect(now.notice == nil, sourceLocation: sourceLocation)
        #expect(
            now.fieldValues == Self.sam.filter { screen == "login" || $0.key == "email" },
            sourceLocation: sourceLocation)
        #expect(try await phone.stored.isEmpty, sourceLocation: sourceLocation)
    }

    // MARK: Addresses

    @Test(
        arguments: ["invalid", "@example.com", "user@", "a@b", "a b@example.com"],
        [("register", "submit"), ("login", "submit"), ("login", "getCode")])
    func `WALL-11, WALL-12, WALL-29 a bad address sends nothing`(
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
    func `WALL-03, WALL-29 a good address is sent`(email: String) async throws {
        let phone = try await phone(on: "register")
        phone.stub.script("POST /auth/register", .json(200, #"{"success":true}"#))
        #expect(try await phone.act("register", "submit", ["email": email]).succeeded)
        #expect(phone.stub.requests.map(\.text) == [#"{"email":"\#(email)"}"#])
        #expect(try await phone.now.alert?.title == "Success")
        #expect(try await phone.now.alert?.targetScreen == "login")
    }

    // MARK: Answers

    @Test(arguments: [
        (200, #"{"success":false,"message":"Not today"}"#, "Not today"),
        (200, "{}", unreadable), (200, "<html>", unreadable),
        (409, #"{"success":false,"message":"Registered"}"#, "Registered"),
        (500, "<html>", "Invalid response from server"),
        (500, "", "Invalid response from server"), (404, "{}", "Invalid response from server"),
    ]) func `WALL-19, WALL-20 a refused registration is told`(
        status: Int, body: String, words: String
    ) async throws {
        let phone = try await phone(on: "register")
        phone.stub.script("POST /auth/register", .json(status, body))
        try await refused(phone, "register", "submit", words)
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
    ]) func `WALL-17, WALL-18, WALL-19, WALL-20, WALL-26 an answer that signs nobody in`(
        status: Int, body: String, words: String
    ) async throws {
        let phone = try await phone(on: "login")
        phone.stub.script("POST /auth/login", .json(status, body))
        try await refused(phone, "login", "submit", words)
    }

    /// A request of the Java dialect, how it is refused, and what is said.
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
    ]) func `WALL-18, WALL-31 the Java server's refusals are told`(
        screen: String, action: String, call: String, status: Int, body: String, words: String
    ) async throws {
        let phone = try await phone(on: screen, with: "campus")
        phone.stub.script(call, .json(status, body))
        try await refused(phone, screen, action, words)
        #expect(phone.stub.requests.count == 1)
    }

    @Test func `WALL-31 a school's address is asked for only once the code is typed`() async throws
    {
        let phone = try await phone(on: "register", with: "campus")
        let words = "Only school/educational email addresses are allowed for registration"
        phone.stub.script("POST /email/send-code", .json(200, #"{"message":"sent"}"#))
        phone.stub.script("POST /register/email", .json(400, #"{"error":"\#(words)"}"#))
        #expect(try await phone.act("register", "submit", Self.sam).succeeded)
        _ = try await phone.open("login")
        try await refused(phone, "login", "submit", words)
    }

    @Test func `WALL-21 a network that fails is told as one`() async throws {
        let phone = try await phone(on: "register")
        for (kind, words) in [
            (TransportFailure.Kind.nameLookup, "The Internet connection appears to be offline."),
            (.connection, "The Internet connection appears to be offline."),
            (.timeout, "The request timed out."), (.tls, "Could not connect to the server."),
        ] {
            phone.stub.script("POST /auth/register", .failure(kind))
            try await refused(phone, "register", "submit", "Network error: " + words)
        }
    }
}
