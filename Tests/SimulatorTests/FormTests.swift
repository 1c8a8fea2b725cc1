import Support
import Testing
import Web

@testable import Simulator

/// Forms with missing values, and actions outside the form.
@Suite(.timeLimit(.minutes(10))) struct FormTests {
    private func start(_ app: String) async throws -> Phone {
        let phone = try await SimulatorFixture(skippingSleeps: true).phone(app)
        _ = try await phone.launch()
        return phone
    }

    @Test func `submitting an incomplete form shows what is missing`() async throws {
        let phone = try await start("bob")
        let typed = ["email": "", "password": "sparrow-9!"]
        #expect(try await !phone.act("login", "submit", typed).succeeded)
        #expect(phone.stub.requests.isEmpty)
        let now = try await phone.now
        #expect(now.fieldErrors.keys.sorted() == ["email"])
        // As after any rule violation, the typed values are kept.
        #expect(now.fieldValues == typed)
    }

    @Test func `an empty password confirmation is an error`() async throws {
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

    @Test func `a button outside the form keeps the typed values`() async throws {
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
