import Support
import Web

/// Signing in, staying in, signing out.
extension SocotoCases {
    private static func token(_ name: String, _ body: String) -> ContractCase {
        .socoto("token/" + name) { client in
            try await client.person()
            return client.request(.post, "/auth/v1/token?grant_type=password", body)
        }
    }

    private static func refreshed(
        _ name: String, _ token: @escaping @Sendable (SocotoClient) async throws -> String
    ) -> ContractCase {
        .socoto("refresh/" + name) { client in
            let text = try await token(client)
            return client.request(
                .post, "/auth/v1/token?grant_type=refresh_token", #"{"refresh_token":"\#(text)"}"#)
        }
    }

    static let tokens: [ContractCase] = [
        token("signed-in", #"{"email":"ADA@example.com","password":"correct horse"}"#),
        token("wrong-password", #"{"email":"ada@example.com","password":"wrong"}"#),
        token("no-password", #"{"email":"ada@example.com"}"#),
        token("unknown", #"{"email":"eve@example.com","password":"correct horse"}"#),
        token("no-email", #"{"password":"correct horse"}"#),
        token("phone", #"{"phone":"+491","password":"correct horse"}"#),
        .socoto("token/unconfirmed") { client in
            await client.signUp()
            return client.request(.post, "/auth/v1/token?grant_type=password", signUpBody)
        },
        .socoto("token/unconfirmed-old-dialect") { client in
            await client.signUp()
            return client.request(
                .post, "/auth/v1/token?grant_type=password", signUpBody, isNew: false)
        },
        .socoto("token/unknown-grant") {
            $0.request(.post, "/auth/v1/token?grant_type=id_token", "{}")
        },
    ]

    static let refreshes: [ContractCase] = [
        refreshed("rotated") { try await $0.person().refreshToken },
        refreshed("parent") { client in
            let first = try await client.person().refreshToken
            _ = await client.refresh(first)
            client.house.frozen.advance(by: 600)
            return first
        },
        refreshed("older-within-interval") { client in
            let first = try await client.person().refreshToken
            let second = await client.refresh(first).refreshToken
            _ = await client.refresh(second)
            return first
        },
        refreshed("older-after-interval") { client in
            let first = try await client.person().refreshToken
            let second = await client.refresh(first).refreshToken
            _ = await client.refresh(second)
            client.house.frozen.advance(by: 10)
            return first
        },
        refreshed("signed-out") { client in
            let reply = try await client.person()
            await client.send(.post, "/auth/v1/logout", bearer: reply.accessToken)
            return reply.refreshToken
        }, refreshed("unknown") { _ in "abcdefgh1234" }, refreshed("short") { _ in "abc" },
        refreshed("malformed") { _ in "not-one-of-ours-at-all" },
    ]

    private static func out(_ name: String, _ query: String = "") -> ContractCase {
        .socoto("logout/" + name) { client in
            let reply = try await client.person()
            return client.request(.post, "/auth/v1/logout\(query)", bearer: reply.accessToken)
        }
    }

    static let signingOut: [ContractCase] = [
        out("everywhere"), out("here", "?scope=local"), out("others", "?scope=others"),
        out("unknown-scope", "?scope=mine"),
        .socoto("logout/nobody") { $0.request(.post, "/auth/v1/logout") },
    ]
}
