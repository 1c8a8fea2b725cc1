import Support
import Testing
import Web

@testable import Simulator

/// Socoto on a device, and the responses of a Supabase project.
enum SupabaseWire {
    static let signUp = "POST /auth/v1/signup"
    static let token = "POST /auth/v1/token"
    static let recover = "POST /auth/v1/recover"
    static let signOut = "POST /auth/v1/logout"
    static let profiles = "GET /rest/v1/profiles"

    static let key = "anon-key"
    static let email = "maya@socoto.app"

    /// The call of each form, its valid values, and the prefix of its error messages.
    static let forms:
        [(screen: String, call: String, values: [String: String], messagePrefix: String)] = [
            (
                "signup", signUp,
                [
                    "role": "business_owner", "fullName": "Maya Okafor", "email": email,
                    "password": "longenough", "confirm": "longenough", "terms": "on",
                ], "Sign up failed: "
            ),
            ("signin", token, ["email": email, "password": "longenough"], "Sign in failed: "),
            ("forgot", recover, ["email": email], "Password reset failed: "),
        ]

    static func accessToken(_ number: Int) -> String { Wire.token(number, email: email) }

    static func session(_ number: Int) -> StubTransport.Reply {
        .json(
            200,
            #"{"access_token":"\#(accessToken(number))","#
                + #""token_type":"bearer","expires_in":3600,"#
                + #""refresh_token":"refresh-\#(number)","#
                + #""user":{"id":"u1","email":"\#(email)"}}"#)
    }

    static let noProfile = StubTransport.Reply.json(
        406,
        #"{"code":"PGRST116","details":"The result contains 0 rows","#
            + #""hint":null,"message":"Cannot coerce the result"}"#)

    static let expired = StubTransport.Reply.json(
        401, #"{"code":"PGRST303","details":null,"hint":null,"message":"JWT expired"}"#)

    static let profile = StubTransport.Reply.json(
        200, #"{"id":"u1","full_name":"Maya Okafor","role":"user"}"#)

    /// An error of GoTrue in its current and its former format.
    static func errors(_ status: Int, _ code: String, _ message: String) -> [StubTransport.Reply] {
        [
            .json(status, #"{"code":"\#(code)","message":"\#(message)"}"#),
            .json(status, #"{"code":\#(status),"error_code":"\#(code)","msg":"\#(message)"}"#),
        ]
    }

    /// A launched app with a custom project, with or without its API key.
    static func phone(key: String? = key) async throws -> Phone {
        let phone = try await SimulatorFixture().phone("socoto")
        try await phone.simulator.chooseBackend(
            phone.instance, backend: "project", base: nil, settings: key.map { ["apiKey": $0] })
        _ = try await phone.launch()
        return phone
    }

    /// An app signed in with the first token; profile requests get `profileResponse`.
    static func signedIn(_ profileResponse: StubTransport.Reply = profile) async throws -> Phone {
        let phone = try await phone()
        phone.stub.script(token, session(1))
        phone.stub.always(profiles, profileResponse)
        #expect(
            try await phone.submit("signin") == ActionResult(screen: "profile", succeeded: true))
        return phone
    }
}

extension Phone {
    /// Submits one of Socoto's forms with its valid values and this change.
    func submit(_ screen: String, _ change: [String: String] = [:]) async throws -> ActionResult {
        let form = SupabaseWire.forms.first { $0.screen == screen }
        return try await act(screen, "submit", (form?.values ?? [:]).merging(change) { $1 })
    }

    /// Starts the app cold.
    func relaunch() async throws -> ActionResult {
        try await simulator.relaunch(instance, isKill: false)
        return try await launch()
    }
}
