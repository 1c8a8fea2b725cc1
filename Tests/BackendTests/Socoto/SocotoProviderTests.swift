import Core
import SQLite
import Support
import Testing
import Web

@testable import Backend

/// Sign-in at embedded providers, with the real server's rules of linking.
@Suite(.timeLimit(.minutes(10))) struct SocotoProviderTests {
    private func makeClient() async throws -> SocotoClient {
        SocotoClient(fixture: try await BackendFixture())
    }

    @Test(arguments: ["google", "apple", "github", "facebook"])
    func `a new person gets an account with the provider's identity`(_ provider: String)
        async throws
    {
        let client = try await makeClient()
        let result = await client.signIn(at: provider, SocotoClient.ada)
        #expect(result.text.hasPrefix(SocotoClient.appURL + "#"))
        #expect(result.fragment["provider_token"]?.isEmpty == false)
        #expect(result.fragment["provider_refresh_token"]?.isEmpty == false)
        let user = await client.user(result.accessToken).json
        #expect(user["email"] == "ada@example.com")
        #expect(user["email_confirmed_at"] != nil)
        #expect(
            user["app_metadata"] == [
                "provider": .string(provider), "providers": [.string(provider)],
            ])
        #expect(user["user_metadata"]?["full_name"] == "Ada Lovelace")
        let identity = user["identities"]?[0]
        #expect(identity?["identity_data"]?["email_verified"] == true)
        #expect(identity?["id"] == identity?["identity_data"]?["sub"])
        #expect(user["is_anonymous"] == false)
        // The same person signs in to the same account.
        let again = await client.signIn(at: provider, SocotoClient.ada)
        #expect(await client.user(again.accessToken).json["id"] == user["id"])
    }

    @Test func `a client with a verifier gets a code that works once`() async throws {
        let client = try await makeClient()
        let result = await client.signIn(isPKCE: true, SocotoClient.ada)
        let code = try #require(result.query["code"])
        #expect(result.fragment.isEmpty)
        let wrong = await client.exchange(code, verifier: String(repeating: "w", count: 43))
        #expect(wrong.json["code"] == "bad_code_verifier")
        let session = await client.exchange(code)
        #expect(session.claim("amr")?[0]?["method"] == "oauth")
        #expect(session.json["provider_token"]?.string?.hasPrefix("ya29.") == true)
        #expect(session.json["provider_refresh_token"] != nil)
        #expect(await client.exchange(code).json["code"] == "flow_state_not_found")
    }

    @Test func `a state works once and for five minutes`() async throws {
        let client = try await makeClient()
        for (isPKCE, code) in [(false, "bad_oauth_state"), (true, "flow_state_already_used")] {
            let page = await client.begin(isPKCE: isPKCE)
            let callback = await client.submitConsent(page, SocotoClient.ada).headers["Location"]
            _ = await client.fixture.follow(try #require(callback))
            let again = await client.fixture.follow(try #require(callback))
            #expect(again.status == 303)
            let result = SocotoClient.AppURL(again.headers["Location"] ?? "")
            #expect(result.query["error_code"] == code)
        }
        let page = await client.begin()
        client.fixture.frozen.advance(by: 300)
        let late = await client.consent(to: page, SocotoClient.ada)
        #expect(late.query["error_description"] == "OAuth state has expired")
    }

    @Test func `concurrent returns with one state create one session`() async throws {
        let client = try await makeClient()
        let page = await client.begin()
        let callback = try #require(
            await client.submitConsent(page, SocotoClient.ada).headers["Location"])
        let results = await withTaskGroup(of: SocotoClient.AppURL.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    let reply = await client.fixture.follow(callback)
                    return SocotoClient.AppURL(reply.headers["Location"] ?? "")
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results.count { !$0.accessToken.isEmpty } == 1)
    }

    @Test func `a verified address links to the account that confirmed it`() async throws {
        let client = try await makeClient()
        let account = try await client.createUser()
        let result = await client.signIn(SocotoClient.ada)
        #expect(await client.providers(result.accessToken) == ["email", "google"])
        #expect(
            await client.user(result.accessToken).json["id"] == account.json["user"]?["id"])
        #expect(await client.signIn().status == 200)
    }

    @Test func `an account that never confirmed its address loses its password`() async throws {
        let client = try await makeClient()
        await client.signUp(data: ["full_name": "Mallory", "plan": "x"])
        let result = await client.signIn(SocotoClient.ada)
        let user = await client.user(result.accessToken).json
        #expect(await client.providers(result.accessToken) == ["google"])
        #expect(user["user_metadata"]?["plan"] == nil)
        #expect(user["user_metadata"]?["full_name"] == "Ada Lovelace")
        #expect(await client.signIn().json["code"] == "invalid_credentials")
    }

    @Test func `an unverified address links to nothing and must be verified`() async throws {
        let client = try await makeClient()
        try await client.createUser()
        let taken = await client.signIn([("name", "X"), ("email", SocotoClient.email)])
        #expect(taken.query["error"] == "access_denied")
        #expect(
            taken.query["error_description"]
                == "Unverified email with google. Verify the email with google in order to sign in")
        let fresh = await client.signIn([("name", "X"), ("email", "x@example.com")])
        #expect(fresh.query["error_code"] == "provider_email_needs_verification")
        let code = try await client.mail("verify", to: "x@example.com").code
        let session = await client.verify("signup", code: code, "x@example.com")
        #expect(session.status == 200)
        let again = await client.signIn([("name", "X"), ("email", "x@example.com")])
        #expect(!again.accessToken.isEmpty)
    }

    @Test func `a person without an address needs a switch`() async throws {
        let client = try await makeClient()
        let person = [("name", "Mary Jackson"), ("without_email", "yes")]
        let off = await client.signIn(person)
        #expect(off.query["error"] == "server_error")
        try await client.setSwitch("emailOptional", isOn: true)
        let result = await client.signIn(person)
        let user = await client.user(result.accessToken).json
        #expect(user["email"] == "")
        #expect(user["is_anonymous"] == false)
    }

    @Test func `new accounts need sign-ups, and banned ones are refused`() async throws {
        let client = try await makeClient()
        _ = await client.signIn(SocotoClient.ada)
        try await client.setSwitch("signups", isOn: false)
        #expect(!(await client.signIn(SocotoClient.ada)).accessToken.isEmpty)
        let new = await client.signIn([("email", "new@example.com"), ("verified", "yes")])
        #expect(new.query["error"] == "access_denied")
        #expect(new.query["error_code"] == "signup_disabled")
        try await client.fixture.database.write { connection in
            try connection.run("UPDATE accounts SET disabled_at = 1")
        }
        let banned = await client.signIn(SocotoClient.ada)
        #expect(banned.fragment["error_code"] == "user_banned")
    }

    @Test func `a refusal reaches the app in the query and in the fragment`() async throws {
        let client = try await makeClient()
        let denied = await client.signIn([("decision", "deny")])
        #expect(denied.query["error"] == "access_denied")
        #expect(denied.fragment["error"] == "access_denied")
        let cancelled = await client.signIn(at: "apple", [("decision", "cancel")])
        #expect(cancelled.query["error"] == "user_cancelled_authorize")
    }

    @Test func `the page rejects a person without a name or an address`() async throws {
        let client = try await makeClient()
        let page = await client.begin()
        let reply = await client.submitConsent(page, [("name", "<b>"), ("email", "x")])
        #expect(reply.status == 422)
        #expect(reply.text.contains("data-testid=\"consent.error\""))
        #expect(reply.text.contains("&lt;b&gt;"))
        #expect(
            await client.submitConsent(page, [("without_email", "yes")]).status == 422)
    }

    @Test func `the page rejects a name or an address that is too long`() async throws {
        let client = try await makeClient()
        let page = await client.begin()
        let long = String(repeating: "x", count: 20_000)
        let chosen: JSON = ["name": .string(long), "email": "ada@example.com", "verified": true]
        for fields in [
            [("name", long), ("email", SocotoClient.email)],
            [("name", "Ada"), ("email", "\(long)@example.com")],
            [("person", Base64URL.encode(chosen.bytes))],
        ] {
            let reply = await client.submitConsent(page, fields)
            #expect(reply.status == 422)
            #expect(reply.text.contains("is too long."))
        }
        // The page can still be answered.
        #expect(await client.consent(to: page, SocotoClient.ada).accessToken.isEmpty == false)
    }

    @Test func `a person whose data does not fit in the user's is refused, and nothing is lost`()
        async throws
    {
        let client = try await makeClient()
        let token = try await client.createUser().accessToken
        let data: JSON = ["note": .string(String(repeating: "x", count: 16_000))]
        await client.send(.put, "/auth/v1/user", ["data": data], bearer: token)
        let before = await client.user(token).json
        let page = await client.begin()
        let callback = await client.submitConsent(page, SocotoClient.ada).headers["Location"] ?? ""
        let refused = SocotoClient.AppURL(
            await client.fixture.follow(callback).headers["Location"] ?? "")
        #expect(refused.query["error_code"] == "validation_failed")
        #expect(await client.user(token).json == before)
        await client.send(.put, "/auth/v1/user", ["data": ["note": .null]], bearer: token)
        let again = SocotoClient.AppURL(
            await client.fixture.follow(callback).headers["Location"] ?? "")
        #expect(!again.accessToken.isEmpty)
    }

    @Test func `a HEAD request for a return uses nothing up`() async throws {
        let client = try await makeClient()
        let page = await client.begin()
        let callback = await client.submitConsent(page, SocotoClient.ada).headers["Location"] ?? ""
        #expect(await client.fixture.follow(callback, method: .head).status == 200)
        let result = SocotoClient.AppURL(
            await client.fixture.follow(callback).headers["Location"] ?? "")
        #expect(!result.accessToken.isEmpty)
    }

    @Test func `the page offers the users of its workspace`() async throws {
        let client = try await makeClient()
        try await client.createUser()
        let page = await client.fixture.follow(await client.begin())
        #expect(page.text.contains("<b>Ada Lovelace</b> <span>ada@example.com</span>"))
        #expect(page.text.contains("<b>Grace Hopper</b>"))
    }

    @Test func `a provider sends its code only to this machine and to apps`() async throws {
        let client = try await makeClient()
        let target = "/main/socoto/provider/google/authorize?response_type=code&client_id=x&"
        for (url, status) in [
            ("https://evil.example/", 400), ("http://localhost:9/", 200), ("app://x", 200),
        ] {
            let reply = await client.fixture.send(
                Request(method: .get, target: target + Form.encode([("redirect_uri", url)])))
            #expect(reply.status == status, "\(url)")
        }
    }

    @Test func `a switch turns a provider off with its page`() async throws {
        let client = try await makeClient()
        let page = await client.begin()
        try await client.setSwitch("googleProvider", isOn: false)
        #expect(await client.fixture.follow(page).status == 404)
        let reply = await client.fixture.send(
            Request(method: .get, target: "/main/socoto/auth/v1/authorize?provider=google"))
        #expect(reply.json["msg"] == "Unsupported provider: provider is not enabled")
    }
}
