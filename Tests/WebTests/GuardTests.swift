import Support
import Testing
import Web

@Suite(.timeLimit(.minutes(10))) struct GuardTests {
    private let door = GuardFixture()

    @Test(arguments: [
        "evil.example", "127.0.0.1:7071", "127.0.0.1", "localhost:7070.evil", "", "127.0.0.1:7070 ",
    ]) func `a foreign host is refused even with the key`(_ host: String) async {
        let headers: Headers = ["Host": host, "Authorization": "Bearer correct-key-of-16"]
        #expect(await door.refusal(.get, headers) == "wrong-host")
    }

    @Test func `no host and two hosts are refused`() async {
        #expect(await door.refusal(.get, [:]) == "wrong-host")
        #expect(
            await door.refusal(.get, GuardFixture.headers([("Host", "127.0.0.1:7070")]))
                == "wrong-host")
    }

    @Test(arguments: ["127.0.0.1:7070", "LOCALHOST:7070", "[::1]:7070"])
    func `every spelling of loopback is ours`(_ host: String) async {
        let headers: Headers = ["Host": host, "Authorization": "Bearer correct-key-of-16"]
        #expect(await door.refusal(.get, headers) == nil)
    }

    @Test func `without the key nothing is shown`() async {
        #expect(
            await door.refusal(.get, GuardFixture.headers([("Sec-Fetch-Site", "none")]))
                == "key-needed")
        #expect(
            await door.refusal(.get, GuardFixture.headers([("Authorization", "Bearer no")]))
                == "wrong-key")
    }

    @Test func `a bearer needs no browser's headers`() async {
        let bearer = GuardFixture.headers([("Authorization", "Bearer correct-key-of-16")])
        #expect(await door.refusal(.post, bearer) == nil)
    }

    @Test(
        arguments: [
            ("same-origin", nil), ("same-site", "cross-site"), ("cross-site", "cross-site"),
            ("none", "cross-site"),
        ] as [(String, String?)]) func `a post comes from our own pages only`(
            _ site: String, _ refused: String?
        ) async
    {
        let fields = GuardFixture.headers([
            ("Cookie", door.cookie), ("Sec-Fetch-Site", site), ("X-Foyer-CSRF", door.csrf),
        ])
        #expect(await door.refusal(.post, fields) == refused)
    }

    @Test func `a post without origin or with a foreign one is refused`() async {
        let cookie = [("Cookie", door.cookie), ("X-Foyer-CSRF", door.csrf)]
        #expect(await door.refusal(.post, GuardFixture.headers(cookie)) == "cross-site")
        #expect(
            await door.refusal(
                .post, GuardFixture.headers(cookie + [("Origin", "http://127.0.0.1:7071")]))
                == "cross-site")
        #expect(
            await door.refusal(
                .post, GuardFixture.headers(cookie + [("Origin", "http://127.0.0.1:7070")]))
                == nil)
    }

    @Test func `a form carries the token of its browser`() async {
        let fields = GuardFixture.headers([
            ("Cookie", door.cookie), ("Sec-Fetch-Site", "same-origin"),
            ("Content-Type", "application/x-www-form-urlencoded"),
        ])
        #expect(await door.refusal(.post, fields, body: "a=1") == "stale-form")
        #expect(await door.refusal(.post, fields, body: "csrf=wrong") == "stale-form")
        #expect(await door.refusal(.post, fields, body: "a=1&csrf=\(door.csrf)") == nil)
    }

    @Test func `a form that cannot be read is not called stale`() async {
        let fields = GuardFixture.headers([
            ("Cookie", door.cookie), ("Sec-Fetch-Site", "same-origin"),
            ("Content-Type", "application/x-www-form-urlencoded"),
        ])
        #expect(
            await door.refusal(.post, fields, body: "csrf=\(door.csrf)&a=%zz") == "malformed-form")
    }

    @Test func `a cookie nobody signed is no key`() async {
        let fields = GuardFixture.headers([
            ("Cookie", "foyer_key_7070=ses_x.beef"), ("Sec-Fetch-Site", "same-origin"),
        ])
        #expect(await door.refusal(.get, fields) == "key-needed")
    }

    @Test func `the key in an address becomes a cookie and vanishes`() async throws {
        let decision = try await door.decide(
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

    @Test func `a link clicked in a caught mail leads back here`() async {
        let fields = GuardFixture.headers([
            ("Cookie", door.cookie), ("Sec-Fetch-Site", "same-site"),
            ("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "document"),
            ("Sec-Fetch-User", "?1"),
        ])
        #expect(await door.refusal(.get, fields) == nil)
        #expect(await door.refusal(.post, fields) == "cross-site")
    }

    @Test func `without a key forms are guarded all the same`() async throws {
        let open = GuardFixture(key: nil)
        let decision = try await open.decide(
            .get, "/", GuardFixture.headers([("Sec-Fetch-Site", "none")]))
        guard case .allowed(.session, let cookie) = decision else {
            Issue.record("a browser was not let in")
            return
        }
        #expect(cookie != nil)
        await #expect(throws: Problem.self) {
            try await open.decide(
                .post, "/", GuardFixture.headers([("Sec-Fetch-Site", "same-origin")]))
        }
    }
}
