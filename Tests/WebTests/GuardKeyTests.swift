import Support
import Synchronization
import Testing
import Web

@Suite(.timeLimit(.minutes(10))) struct GuardKeyTests {
    private let door = GuardFixture()

    @Test func `who guesses keys waits`() async {
        let guess = GuardFixture.headers([("Authorization", "Bearer no")])
        #expect(await door.refusal(.get, guess) == "wrong-key")
        #expect(door.world.slept == [.milliseconds(250)])
        let right = GuardFixture.headers([("Authorization", "Bearer correct-key-of-16")])
        #expect(await door.refusal(.get, right) == nil)
        #expect(door.world.slept.count == 1)
    }

    @Test func `only so many guesses wait at a time`() async {
        let world = FrozenWorld()
        let door = GuardFixture(world: world)
        let guess = GuardFixture.headers([("Authorization", "Bearer no")])
        await withTaskGroup { group in
            for _ in 0..<100 { group.addTask { _ = await door.refusal(.get, guess) } }
            for _ in 0..<68 { await group.next() }
            #expect(world.slept.count == 32)
            #expect(await eventually { world.sleeping == 32 })
            // Nor is one looked at meanwhile, or guessing would go on.
            for key in ["no", "correct-key-of-16"] {
                let shown = GuardFixture.headers([("Authorization", "Bearer " + key)])
                #expect(await door.refusal(.get, shown) == "too-many-guesses")
            }
            let known = GuardFixture.headers([
                ("Cookie", door.cookie), ("Sec-Fetch-Site", "same-origin"),
            ])
            #expect(await door.refusal(.get, known) == nil)
            world.advance(by: 1)
        }
        #expect(world.sleeping == 0)
    }

    @Test(arguments: [
        "Basic Y29ycmVjdDprZXk=", "Bearer", "Bearer ", "correct-key-of-16",
        "Bearercorrect-key-of-16", "Bearer correct-key-of-1", "Bearer correct-key-of-16 ",
    ]) func `what is not exactly the key is not the key`(_ text: String) async {
        let headers = GuardFixture.headers([("Authorization", text)])
        #expect(await door.refusal(.get, headers) == "wrong-key")
    }

    @Test func `without a key a browser's own credentials let nobody in`() async {
        let open = GuardFixture(key: nil)
        let basic = GuardFixture.headers([("Authorization", "Basic YTpi")])
        #expect(await open.refusal(.post, basic) == "wrong-key")
        let bearer = GuardFixture.headers([("Authorization", "Bearer any")])
        #expect(await open.refusal(.post, bearer) == nil)
    }

    @Test func `a wrong key in an address is refused slowly`() async {
        await #expect(throws: Problem.self) {
            try await door.decide(.get, "/?key=guess", GuardFixture.headers([]))
        }
        #expect(door.world.slept.count == 1)
    }

    @Test func `a browser that shows the key again keeps its forms`() async throws {
        let decision = try await door.decide(
            .get, "/?key=correct-key-of-16",
            GuardFixture.headers([("Cookie", door.cookie), ("Sec-Fetch-Site", "none")]))
        guard case .redirected(let response) = decision else {
            Issue.record("the key was not exchanged")
            return
        }
        #expect(response.headers["Set-Cookie"]?.hasPrefix(door.cookie) == true)
    }

    @Test func `a form's token is no cookie`() async {
        // Its digest is one of ours too, of another text.
        let fields = GuardFixture.headers([
            ("Cookie", "foyer_key_7070=csrf:ses_x.\(door.csrf)"), ("Sec-Fetch-Site", "same-origin"),
        ])
        #expect(await door.refusal(.get, fields) == "key-needed")
    }

    @Test func `a cookie is judged anew after many others`() async throws {
        let open = GuardFixture(key: nil)
        for _ in 0..<1_100 {
            let decision = try await open.decide(
                .get, "/", GuardFixture.headers([("Sec-Fetch-Site", "none")]))
            guard case .allowed(_, let cookie?) = decision,
                let pair = cookie.split(separator: ";").first
            else {
                Issue.record("no cookie was set")
                return
            }
            let again = try await open.decide(
                .get, "/",
                GuardFixture.headers([("Cookie", String(pair)), ("Sec-Fetch-Site", "none")]))
            guard case .allowed(_, nil) = again else {
                Issue.record("a cookie of ours was not known")
                return
            }
        }
    }

    @Test func `an open address needs our name and no key`() async {
        #expect(await door.refusal(.get, GuardFixture.headers([]), open: true) == nil)
        #expect(await door.refusal(.get, ["Host": "evil.example"], open: true) == "wrong-host")
    }

    @Test func `a further name is ours when told so`() async {
        let door = GuardFixture(hosts: ["Foyer.test"])
        let headers: Headers = [
            "Host": "foyer.test:7070", "Cookie": door.cookie, "Origin": "http://foyer.test:7070",
            "X-Foyer-CSRF": door.csrf,
        ]
        #expect(await door.refusal(.post, headers) == nil)
    }

    @Test(arguments: [Method.post, .put, .patch, .delete, Method(rawValue: "BREW")])
    func `whatever changes something carries the token`(_ method: Method) async {
        let fields = [("Cookie", door.cookie), ("Sec-Fetch-Site", "same-origin")]
        #expect(await door.refusal(method, GuardFixture.headers(fields)) == "stale-form")
        let token = [("X-Foyer-CSRF", door.csrf)]
        #expect(await door.refusal(method, GuardFixture.headers(fields + token)) == nil)
    }
}
