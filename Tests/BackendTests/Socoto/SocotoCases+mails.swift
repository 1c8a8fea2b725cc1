import Support
import Web

/// Requests for mails, and verification with the mailed codes and tokens.
extension SocotoCases {
    private static func mailRequest(
        _ name: String, _ path: String, _ body: String,
        _ prepare: @escaping @Sendable (SocotoClient) async throws -> Void = { _ in }
    ) -> ContractCase {
        .socoto(name) { client in
            try await prepare(client)
            return client.request(.post, "/auth/v1\(path)", body)
        }
    }

    private static let emailBody = #"{"email":"ada@example.com"}"#
    private static let resendBody = #"{"type":"signup","email":"ada@example.com"}"#

    static let mailRequests: [ContractCase] = [
        mailRequest("recover/known", "/recover", emailBody) { try await $0.createUser() },
        mailRequest("recover/unknown", "/recover", emailBody),
        mailRequest("recover/missing", "/recover", "{}"),
        mailRequest("recover/malformed", "/recover", #"{"email":"ada@"}"#),
        mailRequest("recover/too-soon", "/recover", emailBody) { client in
            try await client.createUser()
            try await client.setSwitch("mailEveryMinute", isOn: true)
            await client.recover()
        },
        mailRequest("recover/too-soon-at-first", "/recover", emailBody) { client in
            try await client.createUser()
            await client.recover()
        },
        mailRequest("recover/email-off", "/recover", "") {
            try await $0.setSwitch("emailProvider", isOn: false)
        },
        mailRequest("resend/email-off", "/resend", resendBody) {
            try await $0.setSwitch("emailProvider", isOn: false)
        },
        mailRequest("resend/unconfirmed", "/resend", resendBody) { client in
            await client.signUp()
            client.fixture.frozen.advance(by: 1)
        },
        mailRequest("resend/confirmed", "/resend", resendBody) { try await $0.createUser() },
        mailRequest("resend/unknown", "/resend", resendBody),
        mailRequest("resend/no-type", "/resend", emailBody),
        mailRequest("resend/no-email", "/resend", #"{"type":"signup"}"#),
        mailRequest("resend/phone", "/resend", #"{"type":"sms","phone":"+491"}"#),
        mailRequest(
            "resend/email-change", "/resend", #"{"type":"email_change","email":"ada@example.com"}"#
        ) { client in
            let token = try await client.createUser().accessToken
            await client.send(.put, "/auth/v1/user", ["email": "ada@king.example"], bearer: token)
            client.fixture.frozen.advance(by: 1)
        },
    ]

    private static func verify(
        _ name: String, _ body: @escaping @Sendable (SocotoClient) async throws -> String
    ) -> ContractCase {
        .socoto("verify/" + name) { client in
            client.request(.post, "/auth/v1/verify", try await body(client))
        }
    }

    /// A verification body with the code of the newest mail of a purpose.
    static func code(_ client: SocotoClient, _ type: String, _ purpose: String) async throws
        -> String
    {
        let code = try await client.mail(purpose).code
        return #"{"type":"\#(type)","email":"Ada@example.com","token":"\#(code)"}"#
    }

    static let verifications: [ContractCase] = [
        verify("signup-code") { client in
            await client.signUp()
            return try await code(client, "signup", "verify")
        },
        verify("email-code") { client in
            await client.signUp()
            return try await code(client, "email", "verify")
        },
        verify("signup-hash") { client in
            await client.signUp()
            let link = try await client.mail("verify").link
            return #"{"type":"signup","token_hash":"\#(SocotoClient.token(of: link))"}"#
        },
        verify("recovery-code") { client in
            try await client.createUser()
            await client.recover()
            return try await code(client, "recovery", "reset")
        },
        verify("used-code") { client in
            await client.signUp()
            let body = try await code(client, "signup", "verify")
            _ = await client.send(.post, "/auth/v1/verify", try JSON(parsing: body))
            return body
        },
        verify("expired-code") { client in
            await client.signUp()
            client.fixture.frozen.advance(by: 3_600)
            return try await code(client, "signup", "verify")
        },
        verify("wrong-type") { client in
            await client.signUp()
            return try await code(client, "recovery", "verify")
        },
        verify("unsent-type") { client in
            await client.signUp()
            return try await code(client, "magiclink", "verify")
        }, verify("unknown-type") { _ in #"{"type":"sesame","token_hash":"x"}"# },
        verify("unknown-hash") { _ in #"{"type":"signup","token_hash":"x"}"# },
        verify("no-type") { _ in #"{"token_hash":"x"}"# },
        verify("nothing") { _ in #"{"type":"signup"}"# },
        verify("malformed-email") { _ in
            #"{"type":"signup","token":"123456","email":"ada"}"#
        },
        verify("unknown-type-of-code") { client in
            await client.signUp()
            return try await code(client, "sesame", "verify")
        },
        verify("code-without-email") { _ in #"{"type":"signup","token":"123456"}"# },
        verify("hash-with-email") { _ in
            #"{"type":"signup","token_hash":"x","email":"ada@example.com"}"#
        },
    ]
}
