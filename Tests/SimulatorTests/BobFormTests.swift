import Apps
import Support
import Testing
import Traffic
import Web

@testable import Simulator

/// Bob's two forms: what they send, and what is said of every answer.
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
            // Too many tries are told in the server's words, and a list of
            // them is one text.
            (429, #"{"message":"In an hour."}"#, "In an hour."),
            (429, #"{"message":["One is wrong","Two is wrong"]}"#, "One is wrong\nTwo is wrong"),
            // Nothing else the server says is for people.
            (403, #"{"message":"ER_DUP_ENTRY in users.sql"}"#, unexpected),
            (404, #"{"message":"Cannot POST /auth/login"}"#, unexpected),
            (418, #"{"message":["teapot.c:7"]}"#, unexpected),
            // A success that makes no sense.
            (200, "It works!", unexpected), (200, #"{"hello":"world"}"#, unexpected),
        ]
    )
    func `BOB-09, BOB-21, BOB-43, BOB-45, BOB-48, BOB-54 every refusal of a login has its words`(
        backend: String, row: (status: Int, body: String, words: String)
    ) async throws {
        let phone = try await start(with: backend)
        phone.stub.script("POST /auth/login", .json(row.status, row.body))
        let result = try await phone.login("bob@example.com", "sparrow-9!")
        #expect(result == ActionResult(screen: "login", succeeded: false))
        let now = try await phone.now
        #expect(now.failure?.title == "Login Error")
        #expect(now.failure?.presentation == .alert)
        #expect(now.failure?.message == row.words)
        #expect(now.fieldValues["email"] == "bob@example.com")
        // Asked once: no other try, and no refresh of what there is not.
        #expect(phone.stub.requests.count == 1)
        #expect(try await phone.stored.isEmpty)
    }

    // MARK: Register

    private static let wendy = [
        "firstName": "Wendy", "lastName": "Hart", "email": "wendy@example.com",
        "phoneNumber": "", "password": "Hammer-and-nail-1", "confirm": "Hammer-and-nail-1",
    ]

    private func register(_ phone: Phone, number: String = "") async throws -> ActionResult {
        _ = try await phone.open("register")
        let typed = Self.wendy.merging(["phoneNumber": number]) { $1 }
        return try await phone.act("register", "submit", typed)
    }

    @Test(arguments: [("", ""), ("+4930123456", #","phoneNumber":"+4930123456""#)])
    func `a telephone number is sent if there is one`(number: String, sent: String) async throws {
        let phone = try await start(with: "nest")
        phone.stub.script("POST /auth/register", .json(201, #"{"id":"u1"}"#))
        let result = try await register(phone, number: number)
        #expect(result.succeeded)
        #expect(
            phone.stub.requests.map(\.text) == [
                #"{"email":"wendy@example.com","password":"Hammer-and-nail-1","#
                    + #""firstName":"Wendy","lastName":"Hart"\#(sent)}"#
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
    ]) func `a registration that is refused is told in an alert`(
        status: Int, body: String, words: String
    ) async throws {
        let phone = try await start(with: "nest")
        phone.stub.always("POST /auth/register", .json(status, body))
        let result = try await register(phone)
        #expect(result == ActionResult(screen: "register", succeeded: false))
        let now = try await phone.now
        #expect(now.failure?.title == "Registration Error")
        #expect(now.failure?.presentation == .alert)
        #expect(now.failure?.message == words)
        #expect(now.fieldValues["email"] == "wendy@example.com")
    }
}
