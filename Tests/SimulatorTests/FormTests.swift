import Support
import Testing
import Web

@testable import Simulator

/// What becomes of a form that is pressed too early, or not sent at all.
@Suite(.timeLimit(.minutes(10))) struct FormTests {
    private func start(_ app: String) async throws -> Phone {
        let phone = try await SimulatorFixture(skippingSleeps: true).phone(app)
        _ = try await phone.launch()
        return phone
    }

    @Test func `a press that comes too early says what is missing`() async throws {
        let phone = try await start("bob")
        let typed = ["email": "", "password": "sparrow-9!"]
        #expect(try await !phone.act("login", "submit", typed).succeeded)
        #expect(phone.stub.requests.isEmpty)
        let now = try await phone.now
        #expect(now.fieldErrors.keys.sorted() == ["email"])
        // Like after any rule: nobody has to type it again.
        #expect(now.fieldValues == typed)
    }

    @Test func `a confirmation left empty is said too`() async throws {
        let phone = try await start("bob")
        let typed = [
            "firstName": "Wendy", "lastName": "Hart",
            "email": "wendy@example.com", "password": "sparrow-9!A",
            "confirm": "",
        ]
        _ = try await phone.open("register")
        #expect(try await !phone.act("register", "submit", typed).succeeded)
        #expect(try await phone.now.fieldErrors["confirm"] == "Passwords do not match")
    }

    @Test func `a button in a form of its own leaves what was typed`() async throws {
        let phone = try await start("wall")
        _ = try await phone.open("login")
        let typed = ["email": "sam@campus.edu", "code": "12"]
        phone.stub.script("POST /auth/login", .json(401, #"{"error":"Invalid code"}"#))
        _ = try await phone.act("login", "submit", typed)
        #expect(try await phone.now.fieldValues["email"] == "sam@campus.edu")
        phone.stub.script(
            "POST /auth/request-code", .json(200, #"{"success":true,"message":"Sent"}"#))
        let result = try await phone.act("login", "getCode")
        #expect(result.succeeded)
        #expect(phone.stub.requests.last?.text.contains("sam@campus.edu") == true)
        #expect(try await phone.now.fieldValues["email"] == "sam@campus.edu")
    }
}
