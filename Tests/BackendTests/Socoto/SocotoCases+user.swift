import Support
import Web

@testable import Backend

/// Reading and updating the user of a token.
extension SocotoCases {
    private static func user(
        _ name: String, _ token: @escaping @Sendable (SocotoClient) async throws -> String?
    ) -> ContractCase {
        .socoto("user/" + name) { client in
            client.request(.get, "/auth/v1/user", bearer: try await token(client))
        }
    }

    private static func update(
        _ name: String, _ body: String,
        _ prepare: @escaping @Sendable (SocotoClient) async throws -> Void = { _ in }
    ) -> ContractCase {
        .socoto("update/" + name) { client in
            let token = try await client.createUser().accessToken
            try await prepare(client)
            return client.request(.put, "/auth/v1/user", body, bearer: token)
        }
    }

    static let users: [ContractCase] = [
        user("signed-in") { try await $0.createUser().accessToken },
        user("no-bearer") { _ in nil },
        user("no-token") { _ in "x" },
        user("changed") { try await $0.createUser().accessToken + "x" },
        user("anon-key") { $0.anonKey },
        user("expired") { client in
            let token = try await client.createUser().accessToken
            client.fixture.frozen.advance(by: 3_600)
            return token
        },
        user("signed-out") { client in
            let token = try await client.createUser().accessToken
            await client.send(.post, "/auth/v1/logout", bearer: token)
            return token
        },
        user("gone") { client in
            let token = try await client.createUser().accessToken
            try await client.fixture.backend.reset(workspace: "main")
            return token
        },
        .socoto("user/signed-out-old-dialect") { client in
            let token = try await client.createUser().accessToken
            await client.send(.post, "/auth/v1/logout", bearer: token)
            return client.request(.get, "/auth/v1/user", bearer: token, isVersioned: false)
        },
    ]

    static let updates: [ContractCase] = [
        update("data", #"{"data":{"full_name":"Ada King","role":null,"theme":"dark"}}"#),
        update("password", #"{"password":"a better horse"}"#),
        update("same-password", #"{"password":"correct horse"}"#),
        update("weak-password", #"{"password":"12345"}"#),
        update("app-metadata", #"{"app_metadata":{"role":"admin"}}"#),
        update("email", #"{"email":"ada@king.example"}"#),
        update("email-at-once", #"{"email":"ada@king.example"}"#) {
            try await $0.setSwitch("confirmEmail", isOn: false)
        },
        update("email-taken", #"{"email":"eve@example.com"}"#) {
            await $0.signUp("eve@example.com")
        }, update("email-malformed", #"{"email":"ada"}"#),
        update("email-impossible", #"{"email":"@"}"#),
        .socoto("update/no-bearer") { $0.request(.put, "/auth/v1/user", "{}") },
    ]
}
