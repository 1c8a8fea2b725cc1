import SQLite
import Web

@testable import Backend

/// Cases that belong to no single endpoint.
extension SocotoCases {
    static let edges: [ContractCase] = [
        .socoto("edges/health") { $0.request(.get, "/auth/v1/health") },
        .socoto("edges/settings") { $0.request(.get, "/auth/v1/settings") },
        .socoto("edges/settings-turned") { client in
            try await client.setSwitch("confirmEmail", isOn: false)
            try await client.setSwitch("signups", isOn: false)
            return client.request(.get, "/auth/v1/settings")
        },
        .socoto("edges/jwks") { _ in
            Request(method: .get, target: "/main/socoto/auth/v1/.well-known/jwks.json")
        },
        .socoto("edges/openid-configuration") { _ in
            Request(
                method: .get, target: "/main/socoto/auth/v1/.well-known/openid-configuration")
        }, .socoto("edges/broken") { try await broken($0, isVersioned: true) },
        .socoto("edges/broken-old-dialect") { try await broken($0, isVersioned: false) },
        .socoto("edges/no-key") { _ in
            Request(method: .get, target: "/main/socoto/auth/v1/settings")
        }, .socoto("edges/wrong-key") { $0.request(.get, "/auth/v1/settings", key: "wrong") },
        .socoto("edges/key-in-query") {
            Request(method: .get, target: "/main/socoto/auth/v1/health?apikey=\($0.anonKey)")
        },
        .socoto("edges/no-key-for-nothing") { _ in
            Request(method: .get, target: "/main/socoto/auth/v1/nothing")
        }, .socoto("edges/unknown-route") { $0.request(.get, "/auth/v1/nothing") },
        .socoto("edges/wrong-method") { $0.request(.delete, "/auth/v1/user") },
        .socoto("edges/disabled-provider") { _ in
            Request(method: .get, target: "/main/socoto/auth/v1/authorize?provider=azure")
        },
        .socoto("edges/unknown-provider") { _ in
            Request(method: .get, target: "/main/socoto/auth/v1/authorize?provider=unknown")
        }, .socoto("edges/neither-server") { $0.request(.get, "/storage/v1/x") },
        .socoto("edges/preflight") { _ in
            Request(
                method: .options, target: "/main/socoto/auth/v1/token?grant_type=password",
                headers: [
                    "Origin": "http://localhost:3000", "Access-Control-Request-Method": "POST",
                    "Access-Control-Request-Headers":
                        "apikey,authorization,content-type,x-client-info",
                ])
        },
        .socoto("edges/preflight-of-nothing-asked") { _ in
            Request(method: .options, target: "/main/socoto/rest/v1/profiles")
        },
        .socoto("edges/at-the-root") { client in
            let token = try await client.createUser().accessToken
            var request = client.request(.get, "/auth/v1/user", bearer: token)
            request.target = "/auth/v1/user"
            return request
        },
        .socoto("edges/other-workspace") { client in
            try await client.fixture.backend.create(workspace: "other")
            let token = try await client.createUser().accessToken
            var other = client
            other.workspace = "other"
            return other.request(.get, "/auth/v1/user", bearer: token)
        },
    ]

    /// A request to a server whose table of accounts is missing.
    private static func broken(_ client: SocotoClient, isVersioned: Bool) async throws -> Request {
        try await client.fixture.database.write { connection in
            try connection.run("ALTER TABLE accounts RENAME TO lost")
        }
        return client.request(
            .post, "/auth/v1/recover", #"{"email":"ada@example.com"}"#, isVersioned: isVersioned)
    }
}
