import Core
import Crypto
import Support
import Testing
import Web

@testable import Backend

/// Linking and unlinking identities, and ID tokens.
@Suite(.timeLimit(.minutes(10))) struct SocotoIdentityTests {
    private func makeClient() async throws -> (SocotoClient, token: String) {
        let client = SocotoClient(fixture: try await BackendFixture())
        return (client, try await client.createUser().accessToken)
    }

    private func identities(_ client: SocotoClient, _ token: String) async -> [String: String] {
        guard case .array(let items)? = await client.user(token).json["identities"] else {
            return [:]
        }
        return Dictionary(
            items.map {
                ($0["provider"]?.string ?? "", $0["identity_id"]?.string ?? "")
            }
        ) { $1 }
    }

    private func unlink(_ client: SocotoClient, _ identity: String?, _ token: String) async -> Reply
    {
        await client.send(
            .delete, "/auth/v1/user/identities/\(identity ?? "")", bearer: token)
    }

    @Test func `a linked identity belongs to one user`() async throws {
        let (client, token) = try await makeClient()
        let other = [("name", "Ada"), ("email", "ada@work.example"), ("verified", "yes")]
        let page = await client.beginLinking("github", token)
        let result = await client.consent(to: page, other)
        #expect(!result.accessToken.isEmpty)
        #expect(await client.providers(token) == ["email", "github"])
        #expect(await client.user(token).json["email"] == "ada@example.com")
        let again = await client.consent(to: await client.beginLinking("github", token), other)
        #expect(again.query["error_code"] == "identity_already_exists")
        let eve = try await client.createUser("eve@example.com").accessToken
        let stolen = await client.consent(to: await client.beginLinking("github", eve), other)
        #expect(
            stolen.query["error_description"] == "Identity is already linked to another user")
    }

    @Test func `of concurrent links of one person to two users one succeeds`() async throws {
        let (client, token) = try await makeClient()
        let eve = try await client.createUser("eve@example.com").accessToken
        let person = [("email", "x@example.com"), ("verified", "yes")]
        let pages = [
            await client.beginLinking("google", token), await client.beginLinking("google", eve),
        ]
        let results = await withTaskGroup(of: Bool.self) { group in
            for page in pages {
                group.addTask { !(await client.consent(to: page, person)).accessToken.isEmpty }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results.count { $0 } == 1)
    }

    @Test func `unlinking the address's identity moves the user to another one`() async throws {
        let (client, token) = try await makeClient()
        let person = [("email", "ada@work.example"), ("verified", "yes")]
        _ = await client.consent(to: await client.beginLinking("google", token), person)
        let ids = await identities(client, token)
        #expect(await unlink(client, "x", token).status == 404)
        let unknown = await unlink(client, "00000000-0000-0000-0000-000000000000", token)
        #expect(unknown.json["code"] == "identity_not_found")
        #expect(await unlink(client, ids["email"]?.uppercased(), token).status == 200)
        let user = await client.user(token).json
        #expect(user["email"] == "ada@work.example")
        #expect(user["app_metadata"]?["providers"] == ["google"])
        let last = await unlink(client, ids["google"], token)
        #expect(last.json["code"] == "single_identity_not_deletable")
    }

    @Test func `linking needs a switch`() async throws {
        let (client, token) = try await makeClient()
        try await client.setSwitch("manualLinking", isOn: false)
        let link = await client.send(
            .get, "/auth/v1/user/identities/authorize?provider=google", bearer: token)
        #expect(link.status == 404)
        #expect(link.json["code"] == "manual_linking_disabled")
        #expect(
            await unlink(client, "x", token).json["code"] == "manual_linking_disabled")
    }

    // MARK: ID tokens

    /// An ID token that an app gets at the provider itself.
    private func idToken(
        _ client: SocotoClient, _ provider: String = "google", nonce: String? = nil,
        of person: [(String, String)] = SocotoClient.ada
    ) async -> String {
        let base = "/main/socoto/provider/\(provider)"
        let query = [
            ("client_id", "app"), ("redirect_uri", SocotoClient.appURL), ("response_type", "code"),
        ]
        let page = await client.fixture.submitForm(
            "\(base)/authorize?" + Form.encode(query + (nonce.map { [("nonce", $0)] } ?? [])),
            [("decision", "allow")] + person)
        let code = SocotoClient.AppURL(page.headers["Location"] ?? "").query["code"] ?? ""
        let reply = await client.fixture.submitForm(
            "\(base)/token",
            [
                ("grant_type", "authorization_code"), ("code", code),
                ("redirect_uri", SocotoClient.appURL),
            ])
        return reply.json["id_token"]?.string ?? ""
    }

    private func signIn(
        _ client: SocotoClient, _ token: String, _ provider: String = "google",
        nonce: String? = nil
    ) async -> Reply {
        await client.send(
            .post, "/auth/v1/token?grant_type=id_token",
            [
                "provider": .string(provider), "id_token": .string(token), "nonce": JSON(nonce),
            ])
    }

    @Test(arguments: ["google", "apple", "facebook"])
    func `an ID token of the embedded provider signs in`(_ provider: String) async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        let reply = await signIn(client, await idToken(client, provider), provider)
        #expect(reply.json["user"]?["email"] == "ada@example.com")
        #expect(reply.claim("amr")?[0]?["method"] == "oauth")
    }

    @Test func `an ID token without an address needs a verified one`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        let person = [("name", "Ada"), ("without_email", "yes")]
        let reply = await signIn(client, await idToken(client, of: person))
        #expect(reply.status == 422)
        #expect(
            reply.json == [
                "code": "provider_email_needs_verification",
                "message": .string(
                    "Unverified email with google. Verify the email with google in order to "
                        + "sign in"),
            ])
    }

    @Test func `a nonce must be that of the token`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        let token = await idToken(client, nonce: Digest.sha256("raw"))
        #expect(await signIn(client, token, nonce: "raw").status == 200)
        let missing = await signIn(client, token)
        #expect(missing.status == 400)
        #expect(missing.json["error"] == "invalid request")
        #expect(await signIn(client, token, nonce: "x").json["error"] == "invalid nonce")
    }

    @Test func `other tokens are rejected, and ID tokens are no access tokens`() async throws {
        let (client, access) = try await makeClient()
        let token = await idToken(client)
        for (token, provider) in [(access, "google"), (token, "apple"), (token + "x", "google")] {
            #expect(
                await signIn(client, token, provider).json["error_description"] == "Bad ID token")
        }
        #expect(await client.user(token).status == 403)
        client.fixture.frozen.advance(by: 3_600)
        #expect(await signIn(client, token).json["error_description"] == "Bad ID token")
        #expect(
            await signIn(client, token, "github").json["message"]
                == #"Custom OIDC provider "github" not allowed"#)
    }

    @Test func `a provider's code works once, and its token tells who signed in`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        let page = await client.begin()
        let callback = try #require(
            await client.submitConsent(page, SocotoClient.ada).headers["Location"])
        let token = SocotoClient.AppURL(
            await client.fixture.follow(callback).headers["Location"] ?? ""
        ).fragment["provider_token"]
        let info = await client.fixture.send(
            Request(
                method: .get, target: "/main/socoto/provider/google/userinfo",
                headers: ["Authorization": "Bearer \(token ?? "")"]))
        #expect(info.json["email"] == "ada@example.com")
        // The callback already used the code.
        let code = SocotoClient.AppURL(callback).query["code"] ?? ""
        let reply = await client.fixture.submitForm(
            "/main/socoto/provider/google/token",
            [
                ("grant_type", "authorization_code"), ("code", code),
                ("redirect_uri", BackendFixture.baseURL + "/auth/v1/callback"),
            ])
        #expect(reply.json["error"] == "invalid_grant")
    }
}
