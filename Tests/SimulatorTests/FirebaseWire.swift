import Support
import Testing
import Web

@testable import Simulator

extension Phone {
    /// What CLARITY Pulse stores of its user.
    var userData: [String: String] {
        get async throws { try await stored.filter { $0.key != FirebaseWire.introduced } }
    }
}

/// CLARITY Pulse on a device, and the responses of Firebase and of the app's own backend.
enum FirebaseWire {
    static let signUp = "POST /v1/accounts:signUp"
    static let update = "POST /v1/accounts:update"
    static let signIn = "POST /v1/accounts:signInWithPassword"
    static let lookup = "POST /v1/accounts:lookup"
    static let sendCode = "POST /v1/accounts:sendOobCode"
    static let resetPassword = "POST /v1/accounts:resetPassword"
    static let token = "POST /v1/token"
    static let profile = "POST /api/v1/auth/register"

    static let form = [
        "firstName": "Avery", "lastName": "Quinn",
        "email": "avery@example.com", "password": "Pass1234",
        "confirm": "Pass1234", "terms": "on", "privacy": "on",
    ]

    static func form(changing change: [String: String]) -> [String: String] {
        form.merging(change) { $1 }
    }

    static func session(_ number: Int, expires: Double = 3_600) -> StubTransport.Reply {
        .json(
            200,
            #"{"idToken":"\#(Wire.token(number, expires: expires))","#
                + #""refreshToken":"refresh-\#(number)","expiresIn":"3600"}"#)
    }

    static func user(verified: Bool) -> StubTransport.Reply {
        .json(
            200,
            #"{"users":[{"localId":"u1","email":"avery@example.com","#
                + #""emailVerified":\#(verified),"# + #""displayName":"Avery Quinn"}]}"#)
    }

    static func refreshed(_ number: Int) -> StubTransport.Reply {
        .json(
            200,
            #"{"id_token":"\#(Wire.token(number))","access_token":"x","#
                + #""refresh_token":"refresh-\#(number)","# + #""expires_in":"3600"}"#)
    }

    static func error(_ code: String, _ status: Int = 400) -> StubTransport.Reply {
        .json(status, #"{"error":{"code":\#(status),"message":"\#(code)","errors":[]}}"#)
    }

    /// A launched app, on a phone that has seen its introduction.
    static func phone(backend: String = "embedded") async throws -> Phone {
        let phone = try await SimulatorFixture().phone("clarity")
        try await phone.simulator.writeItem(phone.instance, key: introduced, value: "true")
        _ = try await phone.launch(with: backend)
        return phone
    }

    /// The key in the defaults that says so.
    static let introduced = "hasCompletedOnboarding"

    static func signedIn(verified: Bool = true, expires: Double = 3_600) async throws -> Phone {
        let phone = try await phone()
        phone.stub.script(signIn, session(1, expires: expires))
        phone.stub.script(lookup, user(verified: verified))
        let result = try await phone.login("avery@example.com", "Pass1234")
        #expect(result.screen == (verified ? "dashboard" : "verify"))
        return phone
    }
}
