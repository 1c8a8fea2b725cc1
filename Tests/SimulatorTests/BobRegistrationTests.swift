import Core
import Support
import Testing
import Web

@testable import Simulator

/// Bob the Builder's registration when responses are lost.
@Suite(.timeLimit(.minutes(10))) struct BobRegistrationTests {
    private func start() async throws -> Phone {
        let phone = try await SimulatorFixture(skippingSleeps: true).phone("bob")
        _ = try await phone.launch()
        return phone
    }

    private static let registration = [
        "firstName": "Wendy", "lastName": "Hart", "email": "wendy@example.com",
        "password": "Hammer-1!", "confirm": "Hammer-1!",
    ]

    @Test(arguments: [1, 4])
    func `a registration whose responses were lost leads to the login, not to a dead end`(
        lost: Int
    ) async throws {
        let phone = try await start()
        _ = try await phone.open("register")
        for _ in 0..<lost { phone.stub.script("POST /auth/register", .failure(.timeout)) }
        phone.stub.script("POST /auth/register", .json(409, #"{"message":"exists"}"#))
        var result = try await phone.act("register", "submit", Self.registration)
        if lost == 4 {
            // None of the app's own attempts had a response; the user tries again.
            #expect(try await phone.now.failure?.message == "Request timed out. Please try again.")
            result = try await phone.act("register", "submit", Self.registration)
        }
        #expect(result == ActionResult(screen: "login", succeeded: false))
        let login = try #require(try await phone.open("login").shown)
        #expect(
            login.failure?.message
                == "Your account may have been created already. Please sign in.")
        #expect(login.fieldValues["email"] == "wendy@example.com")
    }

    @Test(arguments: [502, 504])
    func `a gateway that had no response counts as a lost one`(status: Int) async throws {
        let phone = try await start()
        _ = try await phone.open("register")
        phone.stub.script(
            "POST /auth/register", .json(status, "{}"), .json(409, #"{"message":"exists"}"#))
        #expect(try await phone.act("register", "submit", Self.registration).screen == "login")
    }

    @Test func `another address after a lost response is a registration of its own`() async throws {
        let phone = try await start()
        _ = try await phone.open("register")
        for _ in 0..<4 { phone.stub.script("POST /auth/register", .failure(.timeout)) }
        _ = try await phone.act("register", "submit", Self.registration)
        phone.stub.script("POST /auth/register", .json(409, #"{"message":"exists"}"#))
        let other = Self.registration.merging(["email": "ivory@example.com"]) { $1 }
        #expect(try await phone.act("register", "submit", other).screen == "register")
        #expect(
            try await phone.now.failure?.message
                == "An account with this email address already exists")
    }
}
