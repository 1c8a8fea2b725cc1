import Support
import Testing
import Web

@Suite(.timeLimit(.minutes(10))) struct GuardTests {
    private let fixture = GuardFixture()

    @Test(arguments: [
        "evil.example", "127.0.0.1:7071", "127.0.0.1", "localhost:7070.evil", "", "127.0.0.1:7070 ",
    ]) func `a foreign host is rejected even with the key`(_ host: String) async {
        let headers: Headers = ["Host": host, "Authorization": "Bearer correct-key-of-16"]
        #expect(await fixture.rejectionCode(.get, headers) == "wrong-host")
    }

    @Test func `a missing or repeated Host header is rejected`() async {
        #expect(await fixture.rejectionCode(.get, [:]) == "wrong-host")
        #expect(
            await fixture.rejectionCode(.get, GuardFixture.headers([("Host", "127.0.0.1:7070")]))
                == "wrong-host")
    }

    @Test(arguments: ["127.0.0.1:7070", "LOCALHOST:7070", "[::1]:7070"])
    func `every spelling of the loopback host is accepted`(_ host: String) async {
        let headers: Headers = ["Host": host, "Authorization": "Bearer correct-key-of-16"]
        #expect(await fixture.rejectionCode(.get, headers) == nil)
    }

    @Test func `a request without the right key is rejected`() async {
        #expect(
            await fixture.rejectionCode(.get, GuardFixture.headers([("Sec-Fetch-Site", "none")]))
                == "key-needed")
        #expect(
            await fixture.rejectionCode(
                .get, GuardFixture.headers([("Authorization", "Bearer no")]))
                == "wrong-key")
    }

    @Test func `a request with a bearer key needs no browser headers`() async {
        let bearer = GuardFixture.headers([("Authorization", "Bearer correct-key-of-16")])
        #expect(await fixture.rejectionCode(.post, bearer) == nil)
    }

    @Test(
        arguments: [
            ("same-origin", nil), ("same-site", "cross-site"), ("cross-site", "cross-site"),
            ("none", "cross-site"),
        ] as [(String, String?)]) func `a POST is accepted only from the same origin`(
            _ site: String, _ rejection: String?
        ) async
    {
        let fields = GuardFixture.headers([
            ("Cookie", fixture.cookie), ("Sec-Fetch-Site", site), ("X-Foyer-CSRF", fixture.csrf),
        ])
        #expect(await fixture.rejectionCode(.post, fields) == rejection)
    }

    @Test func `a POST without an origin or with a foreign one is rejected`() async {
        let cookie = [("Cookie", fixture.cookie), ("X-Foyer-CSRF", fixture.csrf)]
        #expect(await fixture.rejectionCode(.post, GuardFixture.headers(cookie)) == "cross-site")
        #expect(
            await fixture.rejectionCode(
                .post, GuardFixture.headers(cookie + [("Origin", "http://127.0.0.1:7071")]))
                == "cross-site")
        #expect(
            await fixture.rejectionCode(
                .post, GuardFixture.headers(cookie + [("Origin", "http://127.0.0.1:7070")]))
                == nil)
    }

    @Test func `a form must contain its browser's CSRF token`() async {
        let fields = GuardFixture.headers([
            ("Cookie", fixture.cookie), ("Sec-Fetch-Site", "same-origin"),
            ("Content-Type", "application/x-www-form-urlencoded"),
        ])
        #expect(await fixture.rejectionCode(.post, fields, body: "a=1") == "stale-form")
        #expect(await fixture.rejectionCode(.post, fields, body: "csrf=wrong") == "stale-form")
        #expect(await fixture.rejectionCode(.post, fields, body: "a=1&csrf=\(fixture.csrf)") == nil)
    }

    @Test func `a malformed form is reported as malformed, not as stale`() async {
        let fields = GuardFixture.headers([
            ("Cookie", fixture.cookie), ("Sec-Fetch-Site", "same-origin"),
            ("Content-Type", "application/x-www-form-urlencoded"),
        ])
        #expect(
            await fixture.rejectionCode(.post, fields, body: "csrf=\(fixture.csrf)&a=%zz")
                == "malformed-form")
    }

    @Test func `a cookie with an invalid signature is rejected`() async {
        let fields = GuardFixture.headers([
            ("Cookie", "foyer_key_7070=ses_x.beef"), ("Sec-Fetch-Site", "same-origin"),
        ])
        #expect(await fixture.rejectionCode(.get, fields) == "key-needed")
    }

    @Test func `a key in the URL is exchanged for a cookie and removed from the URL`() async throws
    {
        let decision = try await fixture.authorize(
            .get, "/studio/mystica?key=correct-key-of-16&part=state",
            GuardFixture.headers([("Sec-Fetch-Site", "none")]))
        guard case .redirected(let response) = decision else {
            Issue.record("the key was not exchanged")
            return
        }
        #expect(response.status == 303)
        #expect(response.headers["Location"] == "/studio/mystica?part=state")
        let cookie = response.headers["Set-Cookie"] ?? ""
        #expect(cookie.hasPrefix("foyer_key_7070="))
        #expect(cookie.contains("HttpOnly; SameSite=Strict"))
        #expect(!cookie.contains("correct-key"))
    }

    @Test func `a link clicked in a received mail opens the console, but cannot post`() async {
        let fields = GuardFixture.headers([
            ("Cookie", fixture.cookie), ("Sec-Fetch-Site", "same-site"),
            ("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "document"),
            ("Sec-Fetch-User", "?1"),
        ])
        #expect(await fixture.rejectionCode(.get, fields) == nil)
        #expect(await fixture.rejectionCode(.post, fields) == "cross-site")
    }

    @Test func `a page in a phone's frame returns to the console, but cannot post`() async {
        func fields(_ site: String) -> Headers {
            GuardFixture.headers([
                ("Cookie", fixture.cookie), ("Sec-Fetch-Site", site),
                ("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "iframe"),
                ("Sec-Fetch-User", "?1"),
            ])
        }
        #expect(await fixture.rejectionCode(.get, fields("same-site")) == nil)
        #expect(await fixture.rejectionCode(.get, fields("cross-site")) == "cross-site")
        #expect(await fixture.rejectionCode(.post, fields("same-site")) == "cross-site")
    }

    @Test func `without a key, a form still needs the CSRF token`() async throws {
        let keyless = GuardFixture(key: nil)
        let decision = try await keyless.authorize(
            .get, "/", GuardFixture.headers([("Sec-Fetch-Site", "none")]))
        guard case .allowed(.session, let cookie) = decision else {
            Issue.record("the browser was not allowed")
            return
        }
        #expect(cookie != nil)
        await #expect(throws: Problem.self) {
            try await keyless.authorize(
                .post, "/", GuardFixture.headers([("Sec-Fetch-Site", "same-origin")]))
        }
    }
}
