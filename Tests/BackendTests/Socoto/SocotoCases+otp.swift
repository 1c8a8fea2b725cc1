import Support
import Web

/// Anonymous users, one-time codes, magic links and phone numbers.
extension SocotoCases {
    private static func post(
        _ name: String, _ path: String, _ body: String,
        _ prepare: @escaping @Sendable (SocotoClient) async throws -> Void = { _ in }
    ) -> ContractCase {
        .socoto(name) { client in
            try await prepare(client)
            return client.request(.post, "/auth/v1\(path)", body)
        }
    }

    private static let address = #"{"email":"ada@example.com"}"#
    private static let number = #"{"phone":"+49 151 12345678"}"#
    private static let numberAndPassword =
        #"{"phone":"4915112345678","password":"correct horse"}"#

    static let oneTimeCodes: [ContractCase] = [
        post("otp/new", "/otp", address),
        post("otp/known", "/otp", address) { try await $0.addUser() },
        post("otp/known-only", "/otp", #"{"email":"ada@example.com","create_user":false}"#),
        post("otp/signups-off", "/otp", address) { try await $0.setSwitch("signups", isOn: false) },
        post("otp/no-recipient", "/otp", "{}"),
        post("otp/both", "/otp", #"{"email":"ada@example.com","phone":"+491"}"#),
        post("otp/mail-channel", "/otp", #"{"email":"ada@example.com","channel":"sms"}"#),
        post("otp/too-soon", "/otp", address) { client in
            try await client.addUser()
            await client.recover()
        },
        post("otp/new-phone", "/otp", number),
        post("otp/known-phone", "/otp", number) { client in
            try await client.createPhoneUser()
            client.fixture.frozen.advance(by: 1)
        },
        post("otp/phone-malformed", "/otp", #"{"phone":"0151"}"#),
        post("otp/unknown-channel", "/otp", #"{"phone":"+49151","channel":"fax"}"#),
        post("otp/phone-off", "/otp", number) {
            try await $0.setSwitch("phoneProvider", isOn: false)
        },
        post("otp/phone-too-soon", "/otp", number) { client in
            await client.send(.post, "/auth/v1/otp", ["phone": .string(SocotoClient.phone)])
        },
        post("otp/email-off", "/otp", address) {
            try await $0.setSwitch("emailProvider", isOn: false)
        },
        post("otp/malformed-known-only", "/otp", #"{"email":"ada","create_user":false}"#),
        post("magiclink/email-off", "/magiclink", "") {
            try await $0.setSwitch("emailProvider", isOn: false)
        },
        post("magiclink/malformed", "/magiclink", "{"),
        post("magiclink/new", "/magiclink", address),
        post("magiclink/no-address", "/magiclink", "{}"),
        .socoto("verify/magiclink-code") { client in
            try await client.addUser()
            await client.send(.post, "/auth/v1/otp", ["email": .string(SocotoClient.email)])
            let body = try await code(client, "magiclink", "login")
            return client.request(.post, "/auth/v1/verify", body)
        },
        .socoto("verify/banned") { client in
            let id = try await client.addUser()
            await client.recover()
            await client.administrate(.put, "/admin/users/\(id)", ["ban_duration": "24h"])
            let body = try await code(client, "recovery", "reset")
            return client.request(.post, "/auth/v1/verify", body)
        },
        .socoto("follow/magiclink-pkce") { client in
            try await client.addUser()
            await client.send(
                .post, "/auth/v1/otp?redirect_to=socoto://in",
                [
                    "email": .string(SocotoClient.email), "code_challenge": .string(challenge),
                    "code_challenge_method": "s256",
                ])
            return .link(try await client.mail("login").link)
        },
        .socoto("follow/unknown-type") { _ in
            .link(
                BackendFixture.baseURL
                    + "/main/socoto/auth/v1/verify?token=x&type=sms&redirect_to=socoto://in")
        },
    ]

    static let phones: [ContractCase] = [
        post("signup/phone-to-be-confirmed", "/signup", numberAndPassword),
        post("signup/phone-confirmed-at-once", "/signup", numberAndPassword) {
            try await $0.setSwitch("phoneAutoconfirm", isOn: true)
        },
        post("signup/phone-exists", "/signup", numberAndPassword) {
            try await $0.createPhoneUser()
        },
        post("signup/phone-off", "/signup", numberAndPassword) {
            try await $0.setSwitch("phoneProvider", isOn: false)
        },
        post(
            "signup/phone-with-challenge", "/signup",
            #"{"phone":"+4915112345678","password":"correct horse","code_challenge":"x"}"#),
        post("signup/anonymous", "/signup", #"{"data":{"theme":"dark"}}"#),
        post("signup/anonymous-off", "/signup", "{}") {
            try await $0.setSwitch("anonymousUsers", isOn: false)
        },
        post("token/phone-signed-in", "/token?grant_type=password", numberAndPassword) {
            try await $0.createPhoneUser()
        },
        post("token/phone-unconfirmed", "/token?grant_type=password", numberAndPassword) {
            await $0.send(
                .post, "/auth/v1/signup",
                ["phone": .string(SocotoClient.phone), "password": .string(SocotoClient.password)])
        },
        post("token/phone-off", "/token?grant_type=password", numberAndPassword) {
            try await $0.setSwitch("phoneProvider", isOn: false)
        },
        post("resend/phone-unconfirmed", "/resend", #"{"type":"sms","phone":"+4915112345678"}"#) {
            client in
            await client.send(.post, "/auth/v1/otp", ["phone": .string(SocotoClient.phone)])
            client.fixture.frozen.advance(by: 1)
        },
        .socoto("verify/phone-code") { client in
            await client.send(.post, "/auth/v1/otp", ["phone": .string(SocotoClient.phone)])
            let code = try await client.code(to: SocotoClient.phone)
            return client.request(
                .post, "/auth/v1/verify",
                #"{"type":"sms","phone":"4915112345678","token":"\#(code)"}"#)
        },
        .socoto("update/phone") { client in
            let token = try await client.createUser().accessToken
            return client.request(.put, "/auth/v1/user", number, bearer: token)
        },
        .socoto("update/anonymous-password") { client in
            let token = await client.send(.post, "/auth/v1/signup", .object([])).accessToken
            return client.request(
                .put, "/auth/v1/user", #"{"password":"a better horse"}"#, bearer: token)
        },
        .socoto("reauthenticate/mailed") { client in
            let token = try await client.createUser().accessToken
            return client.request(.get, "/auth/v1/reauthenticate", bearer: token)
        },
        .socoto("user/other-audience") { client in
            let token = try await client.createUser().accessToken
            return client.request(
                .get, "/auth/v1/user", bearer: token, [("X-JWT-AUD", "elsewhere")])
        },
    ]
}
