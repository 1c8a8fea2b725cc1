import Support
import Web

/// Signing in, refreshing and signing out.
extension SocotoCases {
    private static func signIn(_ name: String, _ body: String) -> ContractCase {
        .socoto("token/" + name) { client in
            try await client.createUser()
            return client.request(.post, "/auth/v1/token?grant_type=password", body)
        }
    }

    private static func refresh(
        _ name: String, _ token: @escaping @Sendable (SocotoClient) async throws -> String
    ) -> ContractCase {
        .socoto("refresh/" + name) { client in
            let text = try await token(client)
            return client.request(
                .post, "/auth/v1/token?grant_type=refresh_token", #"{"refresh_token":"\#(text)"}"#)
        }
    }

    static let signIns: [ContractCase] = [
        signIn("signed-in", #"{"email":"ADA@example.com","password":"correct horse"}"#),
        signIn("wrong-password", #"{"email":"ada@example.com","password":"wrong"}"#),
        signIn("no-password", #"{"email":"ada@example.com"}"#),
        signIn("unknown", #"{"email":"eve@example.com","password":"correct horse"}"#),
        signIn("no-email", #"{"password":"correct horse"}"#),
        signIn("phone", #"{"phone":"+491","password":"correct horse"}"#),
        .socoto("token/unconfirmed") { client in
            await client.signUp()
            return client.request(.post, "/auth/v1/token?grant_type=password", signUpBody)
        },
        .socoto("token/unconfirmed-old-dialect") { client in
            await client.signUp()
            return client.request(
                .post, "/auth/v1/token?grant_type=password", signUpBody, isVersioned: false)
        },
        .socoto("token/email-off") { client in
            try await client.setSwitch("emailProvider", isOn: false)
            return client.request(.post, "/auth/v1/token?grant_type=password", signUpBody)
        },
        .socoto("token/unknown-grant") {
            $0.request(.post, "/auth/v1/token?grant_type=device_code", "{}")
        },
    ]

    static let refreshes: [ContractCase] = [
        refresh("rotated") { try await $0.createUser().refreshToken },
        refresh("parent") { client in
            let first = try await client.createUser().refreshToken
            _ = await client.refresh(first)
            client.fixture.frozen.advance(by: 600)
            return first
        },
        refresh("older-within-interval") { client in
            let first = try await client.createUser().refreshToken
            let second = await client.refresh(first).refreshToken
            _ = await client.refresh(second)
            return first
        },
        refresh("older-after-interval") { client in
            let first = try await client.createUser().refreshToken
            let second = await client.refresh(first).refreshToken
            _ = await client.refresh(second)
            client.fixture.frozen.advance(by: 10)
            return first
        },
        refresh("signed-out") { client in
            let reply = try await client.createUser()
            await client.send(.post, "/auth/v1/logout", bearer: reply.accessToken)
            return reply.refreshToken
        }, refresh("unknown") { _ in "abcdefgh1234" }, refresh("short") { _ in "abc" },
        refresh("malformed") { _ in "not-one-of-ours-at-all" },
    ]

    private static func logout(_ name: String, _ query: String = "") -> ContractCase {
        .socoto("logout/" + name) { client in
            let reply = try await client.createUser()
            return client.request(.post, "/auth/v1/logout\(query)", bearer: reply.accessToken)
        }
    }

    static let logouts: [ContractCase] = [
        logout("everywhere"), logout("here", "?scope=local"), logout("others", "?scope=others"),
        logout("unknown-scope", "?scope=mine"),
        .socoto("logout/no-bearer") { $0.request(.post, "/auth/v1/logout") },
    ]
}
