import Support
import Web

/// Mailed links, followed as by a browser, and PKCE codes.
extension SocotoCases {
    private static func follow(
        _ name: String, method: Web.Method = .get,
        _ link: @escaping @Sendable (SocotoClient) async throws -> String
    ) -> ContractCase {
        .socoto("follow/" + name) { client in .link(try await link(client), method: method) }
    }

    /// Signs up, with a PKCE challenge if there is one, and returns the mailed link.
    private static func link(
        _ client: SocotoClient, to redirect: String? = nil, _ challenge: String? = nil
    ) async throws -> String {
        let query = redirect.map { "?" + Form.encode([("redirect_to", $0)]) }
        await client.send(
            .post, "/auth/v1/signup\(query ?? "")",
            [
                "email": .string(SocotoClient.email), "password": .string(SocotoClient.password),
                "code_challenge": JSON(challenge),
                "code_challenge_method": JSON(challenge.map { _ in "s256" }),
            ])
        return try await client.mail("verify").link
    }

    private static let app = "socoto://callback?from=mail&x=1"

    static let followedLinks: [ContractCase] = [
        follow("signup") { try await link($0) },
        follow("signup-to-app") { try await link($0, to: app) },
        follow("signup-to-loopback") { try await link($0, to: "http://localhost:3000/welcome") },
        follow("signup-to-strangers") { try await link($0, to: "https://evil.example/") },
        follow("head", method: .head) { try await link($0) },
        follow("again") { client in
            let link = try await link(client, to: app)
            _ = await client.fixture.follow(link)
            return link
        },
        follow("expired") { client in
            let link = try await link(client)
            client.fixture.frozen.advance(by: 3_600)
            return link
        },
        follow("recovery-to-app") { client in
            try await client.createUser()
            await client.recover(redirect: "socoto://reset")
            return try await client.mail("reset").link
        },
        follow("recovery") { client in
            try await client.createUser()
            await client.recover()
            return try await client.mail("reset").link
        },
        follow("email-change") { client in
            let token = try await client.createUser().accessToken
            await client.send(.put, "/auth/v1/user", ["email": "ada@king.example"], bearer: token)
            return try await client.mail("email change", to: "ada@king.example").link
        }, follow("pkce") { try await link($0, to: app, challenge) },
        follow("pkce-again") { client in
            let link = try await link(client, to: app, challenge)
            _ = await client.fixture.follow(link)
            return link
        },
        follow("no-type") { _ in BackendFixture.baseURL + "/main/socoto/auth/v1/verify?token=x" },
        follow("no-token") { _ in BackendFixture.baseURL + "/main/socoto/auth/v1/verify?type=signup"
        },
        follow("site-of-a-dead-link") { _ in BackendFixture.baseURL + "/main/socoto/site" },
    ]

    /// Exchanges the code that a followed link with a challenge redirects with.
    private static func exchange(_ name: String, verifier: String, _ delay: Double = 0)
        -> ContractCase
    {
        .socoto("pkce/" + name) { client in
            let link = try await link(client, challenge)
            let reply = await client.fixture.follow(link)
            let location = reply.headers["Location"] ?? ""
            let code = location.split(separator: "code=").last ?? ""
            client.fixture.frozen.advance(by: delay)
            return client.request(
                .post, "/auth/v1/token?grant_type=pkce",
                #"{"auth_code":"\#(code)","code_verifier":"\#(verifier)"}"#)
        }
    }

    private static func link(_ client: SocotoClient, _ challenge: String) async throws -> String {
        try await link(client, to: nil, challenge)
    }

    /// RFC 7636, appendix B.
    static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"

    static let codeExchanges: [ContractCase] = [
        exchange("exchanged", verifier: verifier),
        exchange("wrong-verifier", verifier: verifier + "x"),
        exchange("expired", verifier: verifier, 300), exchange("no-verifier", verifier: ""),
        .socoto("pkce/unknown") {
            $0.request(
                .post, "/auth/v1/token?grant_type=pkce", #"{"auth_code":"x","code_verifier":"y"}"#)
        },
    ]
}
