import Support
import Web

@testable import Backend

/// Sign-in at embedded providers, and identities.
extension SocotoCases {
    private static func authorize(_ name: String, _ query: String) -> ContractCase {
        .socoto("providers/" + name) { _ in
            Request(method: .get, target: "/main/socoto/auth/v1/authorize?" + query)
        }
    }

    private static func consent(_ name: String, _ provider: String, _ fields: [(String, String)])
        -> ContractCase
    {
        .socoto("providers/" + name) { client in
            Request.post(
                SocotoClient.target(await client.begin(provider)), Form.encode(fields),
                type: "application/x-www-form-urlencoded")
        }
    }

    private static let allowed = [("decision", "allow")] + SocotoClient.ada

    static let providers: [ContractCase] = [
        authorize(
            "authorize",
            "provider=google&redirect_to=http%3A%2F%2Flocalhost%3A3000%2Fcb"
                + "&scopes=calendar&access_type=offline&state=mine"),
        authorize("authorize-apple", "provider=Apple"),
        authorize("half-a-challenge", "provider=google&code_challenge=x"),
        authorize("no-provider", ""),
        .socoto("providers/page") { client in
            Request(method: .get, target: SocotoClient.target(await client.begin()))
        },
        .socoto("providers/no-redirect") { _ in
            Request(
                method: .get,
                target: "/main/socoto/provider/google/authorize?client_id=x&response_type=code")
        },
        .socoto("providers/foreign-redirect") { _ in
            Request(
                method: .get,
                target: "/main/socoto/provider/google/authorize?client_id=x&response_type=code"
                    + "&redirect_uri=https%3A%2F%2Fevil.example")
        },
        consent("allowed", "google", allowed), consent("allowed-apple", "apple", allowed),
        consent("denied", "github", [("decision", "deny")]),
        consent("cancelled", "facebook", [("decision", "cancel")]),
        consent("no-address", "google", [("decision", "allow"), ("name", "Ada")]),
        .socoto("providers/openid-configuration") { _ in
            Request(
                method: .get,
                target: "/main/socoto/provider/google/.well-known/openid-configuration")
        },
        .socoto("providers/unknown-code") { _ in
            Request.post(
                "/main/socoto/provider/google/token",
                Form.encode([("grant_type", "authorization_code"), ("code", "x")]),
                type: "application/x-www-form-urlencoded")
        },
        .socoto("providers/unknown-token") { _ in
            Request(method: .get, target: "/main/socoto/provider/google/userinfo")
        },
        .socoto("providers/id-token-missing") {
            $0.request(.post, "/auth/v1/token?grant_type=id_token", "{}")
        },
        .socoto("providers/id-token-without-provider") {
            $0.request(.post, "/auth/v1/token?grant_type=id_token", #"{"id_token":"x"}"#)
        },
        .socoto("providers/id-token-bad") {
            $0.request(
                .post, "/auth/v1/token?grant_type=id_token",
                #"{"id_token":"x","provider":"google"}"#)
        },
        .socoto("providers/id-token-of-github") {
            $0.request(
                .post, "/auth/v1/token?grant_type=id_token",
                #"{"id_token":"x","provider":"github"}"#)
        },
    ]

    /// The browser's return from a provider.
    private static func callback(
        _ name: String, isPKCE: Bool = false, _ fields: [(String, String)],
        _ prepare: @escaping @Sendable (SocotoClient) async throws -> Void = { _ in }
    ) -> ContractCase {
        .socoto("callback/" + name) { client in
            try await prepare(client)
            let page = await client.begin(isPKCE: isPKCE)
            let url = await client.submitConsent(page, fields).headers["Location"] ?? ""
            return Request(method: .get, target: SocotoClient.target(url))
        }
    }

    static let callbacks: [ContractCase] = [
        callback("implicit", SocotoClient.ada), callback("pkce", isPKCE: true, SocotoClient.ada),
        callback("denied", [("decision", "deny")]),
        callback("no-email", [("name", "Ada"), ("without_email", "yes")]),
        callback("unverified", [("name", "Ada"), ("email", "ada@example.com")]),
        callback("signups-off", SocotoClient.ada) {
            try await $0.setSwitch("signups", isOn: false)
        },
        .socoto("callback/no-state") { _ in
            Request(method: .get, target: "/main/socoto/auth/v1/callback?code=x")
        },
        .socoto("callback/malformed-state") { _ in
            Request(method: .get, target: "/main/socoto/auth/v1/callback?code=x&state=x")
        },
        .socoto("callback/wrong-code") { client in
            let page = await client.begin()
            let url = await client.submitConsent(page, SocotoClient.ada).headers["Location"] ?? ""
            let state = SocotoClient.AppURL(url).query["state"] ?? ""
            return Request(
                method: .get, target: "/main/socoto/auth/v1/callback?code=wrong&state=\(state)")
        },
        .socoto("callback/exchanged") { client in
            let code = await client.signIn(isPKCE: true, SocotoClient.ada).query["code"] ?? ""
            return client.request(
                .post, "/auth/v1/token?grant_type=pkce",
                #"{"auth_code":"\#(code)","code_verifier":"\#(SocotoClient.verifier)"}"#)
        },
    ]

    static let identities: [ContractCase] = [
        .socoto("identities/authorize") { client in
            let token = try await client.createUser().accessToken
            return client.request(
                .get, "/auth/v1/user/identities/authorize?provider=github&skip_http_redirect=true",
                bearer: token)
        },
        .socoto("identities/no-bearer") {
            $0.request(.get, "/auth/v1/user/identities/authorize?provider=github")
        },
        .socoto("identities/last") { client in
            let session = try await client.createUser()
            let id = session.json["user"]?["identities"]?[0]?["identity_id"]?.string ?? ""
            return client.request(
                .delete, "/auth/v1/user/identities/\(id)", bearer: session.accessToken)
        },
        .socoto("identities/malformed") { client in
            let token = try await client.createUser().accessToken
            return client.request(.delete, "/auth/v1/user/identities/x", bearer: token)
        },
        .socoto("identities/off") { client in
            let token = try await client.createUser().accessToken
            try await client.setSwitch("manualLinking", isOn: false)
            return client.request(.delete, "/auth/v1/user/identities/x", bearer: token)
        },
    ]
}
