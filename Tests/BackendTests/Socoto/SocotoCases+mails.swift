import Support
import Web

/// Asking for mails, and answering them.
extension SocotoCases {
    private static func ask(
        _ name: String, _ path: String, _ body: String,
        _ situation: @escaping @Sendable (SocotoClient) async throws -> Void = { _ in }
    ) -> ContractCase {
        .socoto(name) { client in
            try await situation(client)
            return client.request(.post, "/auth/v1\(path)", body)
        }
    }

    private static let address = #"{"email":"ada@example.com"}"#
    private static let again = #"{"type":"signup","email":"ada@example.com"}"#

    static let asking: [ContractCase] = [
        ask("recover/known", "/recover", address) { try await $0.person() },
        ask("recover/unknown", "/recover", address), ask("recover/missing", "/recover", "{}"),
        ask("recover/malformed", "/recover", #"{"email":"ada@"}"#),
        ask("recover/too-soon", "/recover", address) { client in
            try await client.person()
            try await client.turn("mailEveryMinute", on: true)
            await client.recover()
        },
        ask("recover/too-soon-at-first", "/recover", address) { client in
            try await client.person()
            await client.recover()
        },
        ask("resend/unconfirmed", "/resend", again) { client in
            await client.signUp()
            client.house.frozen.advance(by: 1)
        },
        ask("resend/confirmed", "/resend", again) { try await $0.person() },
        ask("resend/unknown", "/resend", again),
        ask("resend/no-type", "/resend", address),
        ask("resend/no-email", "/resend", #"{"type":"signup"}"#),
        ask("resend/phone", "/resend", #"{"type":"sms","phone":"+491"}"#),
        ask("resend/email-change", "/resend", #"{"type":"email_change","email":"ada@example.com"}"#)
        { client in
            let token = try await client.person().accessToken
            await client.send(.put, "/auth/v1/user", ["email": "ada@king.example"], bearer: token)
            client.house.frozen.advance(by: 1)
        },
    ]

    private static func verify(
        _ name: String, _ body: @escaping @Sendable (SocotoClient) async throws -> String
    ) -> ContractCase {
        .socoto("verify/" + name) { client in
            client.request(.post, "/auth/v1/verify", try await body(client))
        }
    }

    /// A code's body, from the newest mail of a purpose.
    static func code(_ client: SocotoClient, _ type: String, _ purpose: String) async throws
        -> String
    {
        let code = try await client.mail(purpose).code
        return #"{"type":"\#(type)","email":"Ada@example.com","token":"\#(code)"}"#
    }

    static let answering: [ContractCase] = [
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
            try await client.person()
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
            client.house.frozen.advance(by: 3_600)
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
        verify("code-without-email") { _ in #"{"type":"signup","token":"123456"}"# },
        verify("hash-with-email") { _ in
            #"{"type":"signup","token_hash":"x","email":"ada@example.com"}"#
        },
    ]
}
