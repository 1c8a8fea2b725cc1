import Backend
import Web

/// `accounts:signUp`, and the checks before every method.
enum ClarityCase {
    static let credentials =
        #"{"email":"ada@example.com","password":"correct horse","returnSecureToken":true}"#

    /// A request to Identity Toolkit without preparation.
    static func google(_ name: String, _ method: String, _ body: String, query: String = "?key=k")
        -> ContractCase
    { ContractCase("clarity/" + name) { _ in .google(method, body, query: query) } }

    static func testCase(
        _ name: String, _ request: @escaping @Sendable (BackendFixture) async throws -> Request
    ) -> ContractCase { ContractCase("clarity/" + name, request) }

    static let signUp: [ContractCase] = [
        google("signUp/created", "signUp", credentials),
        google(
            "signUp/with-name", "signUp",
            #"{"email":"ada@example.com","password":"correct horse","displayName":"Ada"}"#),
        google(
            "signUp/in-capitals", "signUp",
            #"{"email":" Ada@Example.COM","password":"correct horse"}"#),
        google(
            "signUp/with-nulls", "signUp",
            #"{"email":"ada@example.com","password":123456,"displayName":null,"id_token":null}"#),
        testCase("signUp/email-exists") { fixture in
            await fixture.signUpWithFirebase()
            return .google("signUp", credentials)
        }, google("signUp/weak", "signUp", #"{"email":"ada@example.com","password":"12345"}"#),
        google(
            "signUp/long", "signUp",
            "{\"email\":\"ada@example.com\",\"password\":\"" + String(repeating: "x", count: 512)
                + "\"}"),
        google("signUp/no-email", "signUp", #"{"email":"ada","password":"correct horse"}"#),
        google("signUp/missing-email", "signUp", #"{"password":"correct horse"}"#),
        google("signUp/missing-password", "signUp", #"{"email":"ada@example.com","password":""}"#),
        google("signUp/anonymous", "signUp", #"{"returnSecureToken":true}"#),
        google("signUp/own-id", "signUp", #"{"localId":"ada"}"#),
        testCase("signUp/turned-off") { fixture in
            try await fixture.setSwitch("passwordSignIn", isOn: false)
            return .google("signUp", credentials)
        },
        testCase("signUp/linked-private") { fixture in
            let token = await fixture.signUpWithFirebase().idToken
            try await fixture.setSwitch("emailPrivacy", isOn: true)
            return .google(
                "signUp",
                #"{"idToken":"\#(token)","email":"eve@example.com","password":"another horse"}"#)
        },
        testCase("signUp/linked") { fixture in
            let token = await fixture.signUpWithFirebase().idToken
            return .google(
                "signUp",
                #"{"idToken":"\#(token)","email":"eve@example.com","password":"another horse"}"#)
        },
        testCase("signUp/linked-own-email") { fixture in
            let token = await fixture.signUpWithFirebase().idToken
            return .google(
                "signUp",
                #"{"idToken":"\#(token)","email":"ada@example.com","password":"another horse"}"#)
        },
        google(
            "signUp/without-dot", "signUp",
            #"{"email":"ada@localhost","password":"correct horse"}"#),
        google("signUp/bool", "signUp", #"{"email":true,"password":"correct horse"}"#),
        google(
            "signUp/with-factor", "signUp",
            #"{"email":"ada@example.com","password":"correct horse","#
                + #""mfaInfo":[{"phoneInfo":"5550100"}]}"#),
        testCase("signUp/legacy") { _ in
            .post(
                BackendFixture.clarity + "/www.googleapis.com/identitytoolkit"
                    + "/v3/relyingparty/signupNewUser?key=k", credentials)
        },
        testCase("signUp/at-the-root") { _ in
            .post("/identitytoolkit.googleapis.com/v1/accounts:signUp?key=k", credentials)
        },
    ]

    static let requestChecks: [ContractCase] = [
        google("gate/no-key", "signUp", credentials, query: ""),
        google("gate/empty-key", "signUp", credentials, query: "?key="),
        testCase("gate/key-in-header") { _ in
            .google("signUp", credentials, query: "", [("x-goog-api-key", "k")])
        },
        testCase("gate/wrong-key") { fixture in
            try await fixture.setSwitch("checksKeys", isOn: true)
            return .google("signUp", credentials)
        },
        testCase("gate/right-key") { fixture in
            try await fixture.setSwitch("checksKeys", isOn: true)
            let key = fixture.backend.clientSetting("apiKey", of: "clarity", in: "main")
            return .google("signUp", credentials, query: "?key=\(key ?? "")")
        }, testCase("gate/owner") { _ in .google("signUp", credentials, bearer: "owner") },
        google("gate/malformed", "signUp", #"{"email":"#), google("gate/no-object", "signUp", "[]"),
        google("gate/wrong-type", "signUp", #"{"email":["ada"]}"#),
        google("gate/nul", "signUp", #"{"email":"a\u0000"}"#),
        google("gate/unknown-method", "query", "{}"),
        testCase("gate/wrong-method") { _ in
            Request(
                method: .get,
                target: BackendFixture.clarity
                    + "/identitytoolkit.googleapis.com/v1/accounts:signUp")
        },
        testCase("gate/unknown-workspace") { _ in
            .post(
                "/nowhere/clarity/identitytoolkit.googleapis.com/v1/accounts:signUp?key=k",
                credentials)
        },
        testCase("gate/preflight") { _ in
            Request(
                method: .options, target: "/identitytoolkit.googleapis.com/v1/accounts:lookup",
                headers: [
                    "Origin": "http://localhost:5173",
                    "Access-Control-Request-Method": "POST",
                    "Access-Control-Request-Headers":
                        "content-type,x-client-version",
                ])
        },
        testCase("gate/other-origin") { _ in
            .google(
                "signInWithPassword", credentials, query: "", [("Origin", "http://localhost:5173")])
        },
        testCase("gate/keys") { _ in
            Request(
                method: .get,
                target: BackendFixture.clarity + "/www.googleapis.com/service_accounts/v1/jwk/"
                    + "securetoken@system.gserviceaccount.com")
        },
    ]
}
