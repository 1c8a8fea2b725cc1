import Support
import Testing
import Web

@testable import Simulator

/// Socoto on a phone, and what a Supabase project answers it.
enum SupabaseWire {
    static let signUp = "POST /auth/v1/signup"
    static let token = "POST /auth/v1/token"
    static let recover = "POST /auth/v1/recover"
    static let signOut = "POST /auth/v1/logout"
    static let profiles = "GET /rest/v1/profiles"

    static let key = "anon-key"
    static let email = "maya@socoto.app"

    /// What each form is filled in with, the call it makes, and how its
    /// failures begin.
    static let forms: [(screen: String, call: String, filled: [String: String], words: String)] = [
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

    /// What GoTrue refuses with, as it writes it now and as it did before.
    static func refused(_ status: Int, _ code: String, _ message: String) -> [StubTransport.Reply] {
        [
            .json(status, #"{"code":"\#(code)","message":"\#(message)"}"#),
            .json(status, #"{"code":\#(status),"error_code":"\#(code)","msg":"\#(message)"}"#),
        ]
    }

    /// Started, and pointed at a project of one's own, with its key or without.
    static func phone(key: String? = key) async throws -> Phone {
        let phone = try await SimulatorFixture().phone("socoto")
        try await phone.simulator.chooseBackend(
            phone.place, backend: "project", base: nil, settings: key.map { ["apiKey": $0] })
        _ = try await phone.launch()
        return phone
    }

    /// Signed in with the first token; a profile is answered as told.
    static func signedIn(_ answer: StubTransport.Reply = profile) async throws -> Phone {
        let phone = try await phone()
        phone.stub.script(token, session(1))
        phone.stub.always(profiles, answer)
        #expect(
            try await phone.submit("signin") == ActionResult(screen: "profile", succeeded: true))
        return phone
    }
}

extension Phone {
    /// Sends one of Socoto's forms as `forms` has it, but for a change.
    func submit(_ screen: String, _ change: [String: String] = [:]) async throws -> ActionResult {
        let form = SupabaseWire.forms.first { $0.screen == screen }
        return try await act(screen, "submit", (form?.filled ?? [:]).merging(change) { $1 })
    }

    /// A cold start.
    func relaunch() async throws -> ActionResult {
        try await simulator.relaunch(place, isKill: false)
        return try await launch()
    }
}
