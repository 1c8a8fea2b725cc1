import Apps
import Support
import Testing
import Traffic
import Web

@testable import Simulator

/// Bob's two forms: what they send, and the message for every response.
@Suite(.timeLimit(.minutes(10))) struct BobFormTests {
    private func start(with backend: String) async throws -> Phone {
        let phone = try await SimulatorFixture(skippingSleeps: true).phone("bob")
        _ = try await phone.launch(with: backend)
        return phone
    }

    // MARK: Login

    private static let unexpected = "An unexpected error occurred. Please try again."

    @Test(
        arguments: ["embedded", "nest"],
        [
            (
                401, #"{"message":"Invalid credentials"}"#,
                "Invalid email or password. Please try again."
            ),
            (
                400, #"{"message":["property x should not exist"],"error":"Bad Request"}"#,
                "Invalid credentials. Please check your email and password."
            ),
            // For too many attempts the server's messages are shown, joined by newlines.
            (429, #"{"message":"In an hour."}"#, "In an hour."),
            (429, #"{"message":["One is wrong","Two is wrong"]}"#, "One is wrong\nTwo is wrong"),
            // No other message of the server is shown.
            (403, #"{"message":"ER_DUP_ENTRY in users.sql"}"#, unexpected),
            (404, #"{"message":"Cannot POST /auth/login"}"#, unexpected),
            (418, #"{"message":["teapot.c:7"]}"#, unexpected),
            // A success with an unusable body.
            (200, "It works!", unexpected), (200, #"{"hello":"world"}"#, unexpected),
        ]
    )
    func `BOB-09, BOB-21, BOB-43, BOB-45, BOB-48, BOB-54 every failed login shows its message`(
        backend: String, row: (status: Int, body: String, message: String)
    ) async throws {
        let phone = try await start(with: backend)
        phone.stub.script("POST /auth/login", .json(row.status, row.body))
        let result = try await phone.login("bob@example.com", "sparrow-9!")
        #expect(result == ActionResult(screen: "login", succeeded: false))
        let now = try await phone.now
        #expect(now.failure?.title == "Login Error")
        #expect(now.failure?.presentation == .alert)
        #expect(now.failure?.message == row.message)
        #expect(now.fieldValues["email"] == "bob@example.com")
        // One request: no retry, and no refresh without a session.
        #expect(phone.stub.requests.count == 1)
        #expect(try await phone.stored.isEmpty)
    }

    // MARK: Register

    private static let registrationForm = [
        "firstName": "Wendy", "lastName": "Hart", "email": "wendy@example.com",
        "phoneNumber": "", "password": "Hammer-and-nail-1", "confirm": "Hammer-and-nail-1",
    ]

    private func register(_ phone: Phone, number: String = "") async throws -> ActionResult {
        _ = try await phone.open("register")
        let typed = Self.registrationForm.merging(["phoneNumber": number]) { $1 }
        return try await phone.act("register", "submit", typed)
    }

    @Test(arguments: [("", ""), ("+4930123456", #","phoneNumber":"+4930123456""#)])
    func `a telephone number is sent if it is filled in`(number: String, expectedJSON: String)
        async throws
    {
        let phone = try await start(with: "nest")
        phone.stub.script("POST /auth/register", .json(201, #"{"id":"u1"}"#))
        let result = try await register(phone, number: number)
        #expect(result.succeeded)
        #expect(
            phone.stub.requests.map(\.text) == [
                #"{"email":"wendy@example.com","password":"Hammer-and-nail-1","#
                    + #""firstName":"Wendy","lastName":"Hart"\#(expectedJSON)}"#
            ])
        #expect(phone.stub.requests[0].headers["User-Agent"] == "iOS/1.0.0")
        let alert = try await phone.now.alert
        #expect(alert?.title == "Account created")
        #expect(alert?.text == "Please sign in.")
        #expect(alert?.targetScreen == "login")
        _ = try await phone.open("login")
        #expect(try await phone.now.fieldValues["email"] == "wendy@example.com")
        #expect(try await phone.stored.isEmpty)
    }

    @Test(arguments: [
        (
            400,
            #"{"message":["Password must contain a number","Phone number must be in E.164 format"]}"#,
            "Password must contain a number\nPhone number must be in E.164 format"
        ), (409, #"{"message":"exists"}"#, "An account with this email address already exists"),
        (503, "{}", "Server error (503). Please try again later."),
    ]) func `a rejected registration shows an alert`(
        status: Int, body: String, message: String
    ) async throws {
        let phone = try await start(with: "nest")
        phone.stub.always("POST /auth/register", .json(status, body))
        let result = try await register(phone)
        #expect(result == ActionResult(screen: "register", succeeded: false))
        let now = try await phone.now
        #expect(now.failure?.title == "Registration Error")
        #expect(now.failure?.presentation == .alert)
        #expect(now.failure?.message == message)
        #expect(now.fieldValues["email"] == "wendy@example.com")
    }
}
