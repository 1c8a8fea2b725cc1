import Support
import Synchronization
import Testing
import Web

@Suite(.timeLimit(.minutes(10))) struct GuardKeyTests {
    private let fixture = GuardFixture()

    @Test func `a wrong key is rejected after a delay`() async {
        let wrongKey = GuardFixture.headers([("Authorization", "Bearer no")])
        #expect(await fixture.rejectionCode(.get, wrongKey) == "wrong-key")
        #expect(fixture.world.slept == [.milliseconds(250)])
        let rightKey = GuardFixture.headers([("Authorization", "Bearer correct-key-of-16")])
        #expect(await fixture.rejectionCode(.get, rightKey) == nil)
        #expect(fixture.world.slept.count == 1)
    }

    @Test
    func `at most 32 failed attempts wait at once, and further ones are rejected immediately`()
        async
    {
        let world = FrozenWorld()
        let fixture = GuardFixture(world: world)
        let wrongKey = GuardFixture.headers([("Authorization", "Bearer no")])
        await withTaskGroup { group in
            for _ in 0..<100 { group.addTask { _ = await fixture.rejectionCode(.get, wrongKey) } }
            for _ in 0..<68 { await group.next() }
            #expect(world.slept.count == 32)
            #expect(await eventually { world.sleeping == 32 })
            // Meanwhile no key is checked, not even the right one, or guessing could continue.
            for key in ["no", "correct-key-of-16"] {
                let attempt = GuardFixture.headers([("Authorization", "Bearer " + key)])
                #expect(await fixture.rejectionCode(.get, attempt) == "too-many-guesses")
            }
            let withCookie = GuardFixture.headers([
                ("Cookie", fixture.cookie), ("Sec-Fetch-Site", "same-origin"),
            ])
            #expect(await fixture.rejectionCode(.get, withCookie) == nil)
            world.advance(by: 1)
        }
        #expect(world.sleeping == 0)
    }

    @Test(arguments: [
        "Basic Y29ycmVjdDprZXk=", "Bearer", "Bearer ", "correct-key-of-16",
        "Bearercorrect-key-of-16", "Bearer correct-key-of-1", "Bearer correct-key-of-16 ",
    ]) func `only the exact key in a Bearer header is accepted`(_ text: String) async {
        let headers = GuardFixture.headers([("Authorization", text)])
        #expect(await fixture.rejectionCode(.get, headers) == "wrong-key")
    }

    @Test func `without a key, Basic credentials are still rejected`() async {
        let keyless = GuardFixture(key: nil)
        let basic = GuardFixture.headers([("Authorization", "Basic YTpi")])
        #expect(await keyless.rejectionCode(.post, basic) == "wrong-key")
        let bearer = GuardFixture.headers([("Authorization", "Bearer any")])
        #expect(await keyless.rejectionCode(.post, bearer) == nil)
    }

    @Test func `a wrong key in a URL is rejected after a delay`() async {
        await #expect(throws: Problem.self) {
            try await fixture.authorize(.get, "/?key=guess", GuardFixture.headers([]))
        }
        #expect(fixture.world.slept.count == 1)
    }

    @Test func `a browser that presents the key again keeps its cookie, so its forms stay valid`()
        async throws
    {
        let decision = try await fixture.authorize(
            .get, "/?key=correct-key-of-16",
            GuardFixture.headers([("Cookie", fixture.cookie), ("Sec-Fetch-Site", "none")]))
        guard case .redirected(let response) = decision else {
            Issue.record("the key was not exchanged")
            return
        }
        #expect(response.headers["Set-Cookie"]?.hasPrefix(fixture.cookie) == true)
    }

    @Test func `a CSRF token is not accepted as a cookie`() async {
        // Its digest is valid, but of a different text.
        let fields = GuardFixture.headers([
            ("Cookie", "foyer_key_7070=csrf:ses_x.\(fixture.csrf)"),
            ("Sec-Fetch-Site", "same-origin"),
        ])
        #expect(await fixture.rejectionCode(.get, fields) == "key-needed")
    }

    @Test func `every issued cookie is accepted, even after a thousand others`() async throws {
        let keyless = GuardFixture(key: nil)
        for _ in 0..<1_100 {
            let decision = try await keyless.authorize(
                .get, "/", GuardFixture.headers([("Sec-Fetch-Site", "none")]))
            guard case .allowed(_, let cookie?) = decision,
                let pair = cookie.split(separator: ";").first
            else {
                Issue.record("no cookie was set")
                return
            }
            let next = try await keyless.authorize(
                .get, "/",
                GuardFixture.headers([("Cookie", String(pair)), ("Sec-Fetch-Site", "none")]))
            guard case .allowed(_, nil) = next else {
                Issue.record("a valid cookie was not accepted")
                return
            }
        }
    }

    @Test func `an open route requires a valid host but no key`() async {
        #expect(await fixture.rejectionCode(.get, GuardFixture.headers([]), isOpen: true) == nil)
        #expect(
            await fixture.rejectionCode(.get, ["Host": "evil.example"], isOpen: true)
                == "wrong-host")
    }

    @Test func `a configured extra host is accepted`() async {
        let fixture = GuardFixture(hosts: ["Foyer.test"])
        let headers: Headers = [
            "Host": "foyer.test:7070", "Cookie": fixture.cookie, "Origin": "http://foyer.test:7070",
            "X-Foyer-CSRF": fixture.csrf,
        ]
        #expect(await fixture.rejectionCode(.post, headers) == nil)
    }

    @Test(arguments: [Method.post, .put, .patch, .delete, Method(rawValue: "BREW")])
    func `every method that is not safe requires the CSRF token`(_ method: Method) async {
        let fields = [("Cookie", fixture.cookie), ("Sec-Fetch-Site", "same-origin")]
        #expect(await fixture.rejectionCode(method, GuardFixture.headers(fields)) == "stale-form")
        let token = [("X-Foyer-CSRF", fixture.csrf)]
        #expect(await fixture.rejectionCode(method, GuardFixture.headers(fields + token)) == nil)
    }
}
