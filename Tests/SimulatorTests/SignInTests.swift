import Core
import Support
import Testing
import Web

@testable import Simulator

/// Mystica's forms in the engine.
@Suite(.timeLimit(.minutes(10))) struct SignInTests {
    @Test func `MYS-04 a verified account signs in and sees the map`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        #expect(try await phone.screen == "map")
        #expect(
            try await phone.stored == [
                "mystica_access_token": Wire.token(1), "mystica_refresh_token": "refresh-token-1",
                "mystica_user_id": "usr-1",
            ])
        let session = try #require(try await phone.now.session)
        #expect(session.email == "rowan@mystica.app")
        #expect(session.userID == "usr-1")
        #expect(session.state == .active)
        #expect(session.backend == "embedded")
        let request = try #require(phone.stub.requests.first)
        #expect(request.url == "http://127.0.0.1:7071/main/mystica/api/v1/auth/login")
    }

    @Test func `MYS-05 a wrong password clears the password and keeps the email`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone()
        _ = try await phone.launch()
        for status in [400, 401] {
            phone.stub.script("POST /auth/login", Wire.error(status))
            let result = try await phone.login()
            #expect(result == ActionResult(screen: "login", succeeded: false))
            let now = try await phone.now
            #expect(now.failure?.message == "Invalid email or password")
            #expect(now.fieldValues["email"] == "rowan@mystica.app")
            #expect(now.fieldValues["password"] == "")
            #expect(now.failure?.exchange?.hasPrefix("exc_") == true)
        }
        #expect(phone.stub.sent("POST /auth/refresh").isEmpty)
        #expect(try await phone.stored.isEmpty)
    }

    @Test func `MYS-20 an offline login shows a network error, not wrong credentials`() async throws
    {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone()
        _ = try await phone.launch()
        phone.stub.script(
            "POST /auth/login", .failure(.connection), .failure(.nameLookup), .failure(.timeout),
            .json(200, "<html>"))
        var messages: [String?] = []
        for _ in 0..<4 {
            _ = try await phone.login()
            messages.append(try await phone.now.failure?.message)
        }
        let offline = "No internet connection. Please check your network and try again."
        #expect(
            messages == [
                offline, offline, "The request timed out. Please try again.",
                "Invalid response from server. Please try again.",
            ])
    }

    @Test func `MYS-21 an unverified account is led to the verify screen`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone()
        _ = try await phone.launch()
        phone.stub.script("POST /auth/login", Wire.error(401, "email_not_verified"))
        let result = try await phone.login()
        #expect(result.screen == "verify")
        let now = try #require(try await phone.open("verify").shown)
        #expect(now.failure?.message == "Please verify your email")
        #expect(now.availableValues["email"] == "rowan@mystica.app")
        #expect(try await phone.open("map").redirected == "login")
    }

    @Test func `MYS-21 a login refused after a registration here asks to verify`() async throws {
        let phone = try await SimulatorFixture().phone()
        _ = try await phone.launch()
        phone.stub.script(
            "POST /auth/register", .json(201, #"{"success":true,"data":{"session":null}}"#))
        let password = "sparrow-9!"
        _ = try await phone.act(
            "register", "submit", ["email": "rowan@mystica.app", "password": password])
        // The real server's response to an unverified address.
        phone.stub.script("POST /auth/login", Wire.error(401, "INVALID_CREDENTIALS"))
        #expect(try await phone.login(" Rowan@mystica.app", password).screen == "verify")
        #expect(try await phone.now.failure?.message == "Please verify your email")
        // Another address, and the same one after a sign-in, have a wrong password.
        phone.stub.script("POST /auth/login", Wire.error(401, "INVALID_CREDENTIALS"))
        #expect(try await phone.login("ivory@mystica.app", password).screen == "login")
        phone.stub.script("POST /auth/login", Wire.session(Wire.token(1), "refresh-token-1"))
        #expect(try await phone.login("rowan@mystica.app", password).screen == "map")
        phone.stub.script("POST /auth/logout", .json(200, "{}"))
        phone.stub.script("GET /auth/me", Wire.me)
        _ = try await phone.open("map")
        _ = try await phone.open("settings")
        _ = try await phone.act("settings", "logout")
        phone.stub.script("POST /auth/login", Wire.error(401, "INVALID_CREDENTIALS"))
        #expect(try await phone.login("rowan@mystica.app", "mistyped").screen == "login")
    }

    @Test func `MYS-25 a password of seven characters sends no request, one of eight does`()
        async throws
    {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone()
        _ = try await phone.launch()
        let typed = ["email": "a@b.cd", "password": "1234567"]
        let result = try await phone.act("register", "submit", typed)
        #expect(result == ActionResult(screen: "register", succeeded: false))
        let now = try await phone.now
        #expect(now.fieldErrors == ["password": "Password must be at least 8 characters"])
        #expect(now.fieldValues == typed)
        #expect(phone.stub.requests.isEmpty)
        #expect(fixture.events(.ruleFailed).count == 1)
        phone.stub.script("POST /auth/register", .json(201, "{}"))
        let next = try await phone.act(
            "register", "submit", ["email": "a@b.cd", "password": "12345678"])
        #expect(next == ActionResult(screen: "verify", succeeded: true))
    }

    @Test(arguments: [(422, "EMAIL_EXISTS"), (422, "other")])
    func `MYS-26, MYS-34 a taken email is an error and keeps the form`(
        _ status: Int, _ code: String
    )
        async throws
    {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone()
        _ = try await phone.launch()
        phone.stub.script("POST /auth/register", Wire.error(status, code))
        let typed = ["email": "a@b.cd", "password": "12345678"]
        _ = try await phone.act("register", "submit", typed)
        let now = try await phone.now
        #expect(now.failure?.message == "An account with this email already exists")
        #expect(now.fieldValues == typed)
    }

    @Test func `a weak password with status 422 is an error of its field`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone()
        _ = try await phone.launch()
        phone.stub.script("POST /auth/register", Wire.error(422, "WEAK_PASSWORD"))
        _ = try await phone.act("register", "submit", ["email": "a@b.cd", "password": "12345678"])
        let now = try await phone.now
        #expect(now.failure == nil)
        #expect(now.fieldErrors["password"] == "Password must be at least 8 characters")
    }

    @Test(arguments: ["a@b", "a b@c.d", ""]) func `MYS-31 an invalid email sends nothing`(
        _ email: String
    ) async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone()
        _ = try await phone.launch()
        for screen in ["login", "register"] {
            _ = try await phone.act(screen, "submit", ["email": email, "password": "12345678"])
            #expect(
                try await phone.now.fieldErrors["email"] == "Please enter a valid email address")
        }
        #expect(phone.stub.requests.isEmpty)
    }

    @Test func `MYS-32 a second submit joins the first`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone()
        _ = try await phone.launch()
        let latch = Latch()
        phone.stub.script(
            "POST /auth/login", .held(latch, Wire.session(Wire.token(1), "refresh-token-1")))
        async let first = phone.login()
        async let second = phone.login("somebody@else.org", "another-one")
        #expect(try await eventually { try await phone.waiterCount("login", "submit") == 2 })
        latch.open()
        let results = try await [first, second]
        #expect(results[0] == results[1])
        #expect(results[0].screen == "map")
        #expect(phone.stub.requests.count == 1)
        #expect(fixture.events(.actionSubmitted).count == 1)
    }

    @Test func `MYS-35, MYS-40 resend always shows its toast, and back shows the login`()
        async throws
    {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone()
        _ = try await phone.launch()
        phone.stub.script("POST /auth/register", .json(201, "{}"))
        _ = try await phone.act("register", "submit", ["email": "a@b.cd", "password": "12345678"])
        phone.stub.script("POST /auth/resend-verification", Wire.error(500), .failure(.connection))
        for _ in 0..<2 {
            let result = try await phone.act("verify", "resend")
            #expect(result == ActionResult(screen: "verify", succeeded: true))
            let shown = try #require(try await phone.open("verify").shown)
            #expect(shown.toast == "Verification email sent")
            #expect(shown.failure == nil)
        }
        #expect(phone.stub.requests.last?.text == #"{"email":"a@b.cd"}"#)
        let back = try await phone.act("verify", "back")
        #expect(back.screen == "login")
        #expect(try await phone.now.fieldValues["email"] == "a@b.cd")
    }

    @Test func `MYS-41 login requires only a non-empty password`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone()
        _ = try await phone.launch()
        phone.stub.script("POST /auth/login", Wire.error(401))
        _ = try await phone.login("a@b.cd", "abc")
        #expect(phone.stub.requests.count == 1)
        _ = try await phone.login("a@b.cd", "")
        #expect(phone.stub.requests.count == 1)
    }

    @Test func `MYS-51 a registration times out after 30 seconds and keeps the form`() async throws
    {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone()
        _ = try await phone.launch()
        phone.stub.script("POST /auth/register", .failure(.timeout))
        let typed = ["email": "a@b.cd", "password": "12345678"]
        let result = try await phone.act("register", "submit", typed)
        #expect(result == ActionResult(screen: "register", succeeded: false))
        let now = try await phone.now
        #expect(now.failure?.message == "The request timed out. Please try again.")
        #expect(now.fieldValues == typed)
        #expect(phone.stub.requests.map(\.timeout) == [.seconds(30)])
    }

    @Test func `every step is an event with its cause`() async throws {
        let fixture = try await SimulatorFixture()
        _ = try await fixture.phone().signedIn()
        let events = fixture.hub.events(in: "main")
        let submitted = try #require(events.last { $0.kind == .actionSubmitted })
        let after = events.filter { $0.id > submitted.id }
        #expect(
            after.map(\.kind) == [
                .exchangeEnded, .storageWritten, .storageWritten, .storageWritten, .sessionBegan,
                .screenShown,
            ])
        #expect(after[0].cause == submitted.id)
        #expect(after.dropFirst().allSatisfy { $0.cause == after[0].id })
        for event in events {
            #expect(!"\(event)".contains("sparrow-9!"))
            #expect(!"\(event)".contains(Wire.token(1)))
        }
    }
}
