import Support
import Web

/// The cases of Socoto's contract, by endpoint.
enum SocotoCases {
    static let signUpBody = """
        {"email":"Ada@Example.com","password":"correct horse",\
        "data":{"role":"business_owner","full_name":"Ada Lovelace"},\
        "gotrue_meta_security":{}}
        """
    static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

    private static func signUp(_ name: String, _ body: String) -> ContractCase {
        .socoto("signup/" + name) { $0.request(.post, "/auth/v1/signup", body) }
    }

    /// A sign-up a minute after `prepare`.
    private static func signUp(
        _ name: String, after prepare: @escaping @Sendable (SocotoClient) async throws -> Void
    ) -> ContractCase {
        .socoto("signup/" + name) { client in
            try await prepare(client)
            client.fixture.frozen.advance(by: 60)
            return client.request(.post, "/auth/v1/signup", signUpBody)
        }
    }

    static let signUps: [ContractCase] = [
        signUp("to-be-confirmed", signUpBody),
        signUp("confirmed-at-once") { try await $0.setSwitch("confirmEmail", isOn: false) },
        signUp("exists-unconfirmed") { await $0.signUp() },
        signUp("exists-unconfirmed-and-needs-not") {
            await $0.signUp()
            try await $0.setSwitch("confirmEmail", isOn: false)
        }, signUp("exists-confirmed") { try await $0.createUser() },
        signUp("exists-confirmed-without-mails") {
            try await $0.createUser()
            try await $0.setSwitch("confirmEmail", isOn: false)
        }, signUp("signups-off") { try await $0.setSwitch("signups", isOn: false) },
        .socoto("signup/too-soon") { client in
            try await client.setSwitch("mailEveryMinute", isOn: true)
            await client.signUp()
            client.fixture.frozen.advance(by: 12.3)
            return client.request(.post, "/auth/v1/signup", signUpBody)
        },
        signUp("email-off") { try await $0.setSwitch("emailProvider", isOn: false) },
        signUp("exists-invited") { client in
            await client.administrate(
                .post, "/invite", ["email": .string(SocotoClient.email), "data": ["vip": true]])
        },
        signUp("exists-added-by-an-administrator") { client in
            await client.administrate(
                .post, "/admin/users",
                [
                    "email": .string(SocotoClient.email), "user_metadata": ["vip": true],
                    "app_metadata": ["plan": "pro"],
                ])
        },
        .socoto("signup/weak-of-six") { client in
            try await client.setSwitch("sixCharacterPasswords", isOn: true)
            return client.request(
                .post, "/auth/v1/signup", #"{"email":"ada@example.com","password":"12345"}"#)
        },
        signUp("data-only", #"{"data":{}}"#),
        signUp("no-password", #"{"email":"not an address"}"#),
        signUp(
            "weak",
            #"{"email":"ada@example.com","password":"12345"}"#),
        .socoto("signup/weak-old-dialect") {
            $0.request(
                .post, "/auth/v1/signup", #"{"email":"ada@example.com","password":"12345"}"#,
                isVersioned: false)
        },
        signUp(
            "long",
            #"{"email":"ada@example.com","password":""# + String(repeating: "x", count: 73) + #""}"#
        ), signUp("no-address", #"{"email":"ada at example.com","password":"correct horse"}"#),
        signUp("phone", #"{"phone":"+491","password":"correct horse"}"#),
        signUp(
            "half-a-challenge",
            #"{"email":"ada@example.com","password":"correct horse","#
                + #""code_challenge_method":"s256"}"#),
        signUp(
            "short-challenge",
            #"{"email":"ada@example.com","password":"correct horse","#
                + #""code_challenge":"abc","code_challenge_method":"s256"}"#),
        signUp("malformed", #"{"email":"#),
        signUp("empty", ""),
        signUp("array", "[]"),
        signUp("wrong-type", #"{"email":17,"password":"x"}"#),
        signUp("wrong-type-of-a-later-member", #"{"email":"ada@example.com","data":"x"}"#),
    ]
}
