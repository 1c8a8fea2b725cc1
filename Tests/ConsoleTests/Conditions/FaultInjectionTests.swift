import Backend
import Console
import Support
import Testing
import Traffic
import Web

/// Trouble on purpose from the condition to what the user sees, with the
/// embedded backend behind.
@Suite(.timeLimit(.minutes(10))) struct FaultInjectionTests {
    private func condition(_ fixture: FoyerFixture, _ body: JSON) async throws {
        let made = await fixture.ask(.post, "/api/conditions", json: body)
        #expect(made.status == 201)
    }

    /// Method, status and condition of the newest exchanges, oldest first.
    private func story(_ fixture: FoyerFixture, _ count: Int) async -> [String] {
        let list = await fixture.ask(.get, "/api/exchanges?limit=\(count)")
        guard case .array(let items)? = list.json["items"] else { return [] }
        return items.reversed().map { item in
            let end =
                item["status"]?.int.map { String($0) } ?? item["failure"]?["kind"]?.string ?? "?"
            let stamp = item["condition"]?.string.map { " [\($0)]" } ?? ""
            return "\(item["call"]?.string ?? "?") \(end)\(stamp)"
        }
    }

    private func relaunch(_ fixture: FoyerFixture, _ device: String) async -> String? {
        await fixture.ask(.post, "/api/devices/\(device)/apps/mystica/relaunch").json["screen"]?
            .string
    }

    private func login(_ fixture: FoyerFixture, _ device: String) async -> String? {
        await fixture.submit(
            "/apps/mystica/login/submit",
            [("email", "nora@example.com"), ("password", "correct horse")], device: device
        ).location
    }

    private func register(_ fixture: FoyerFixture, _ device: String) async -> String? {
        await fixture.submit(
            "/apps/mystica/register/submit",
            [("email", "nora@example.com"), ("password", "correct horse")], device: device
        ).location
    }

    @Test func `a registration whose answer was lost has happened`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        try await condition(
            fixture,
            ["kind": "reset", "call": "register", "app": "mystica", "times": 1, "phase": "after"])
        #expect(await register(fixture, device) == "/apps/mystica/register")
        #expect(await register(fixture, device) == "/apps/mystica/register")
        let page = await fixture.page("/apps/mystica/register", device: device)
        #expect(page.text.contains("email already exists"))
        #expect(
            await story(fixture, 2) == [
                "register connection [connection reset after 200, 1 of 1]", "register 422",
            ])
    }

    @Test func `an expired access token is refreshed in silence`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        try await condition(fixture, ["kind": "accessTokenExpired", "times": 1])
        #expect(await relaunch(fixture, device) == "map")
        #expect(
            await story(fixture, 3) == [
                "me 401 [access token expired, 1 of 1]", "refresh 200", "me 200",
            ])
    }

    @Test(arguments: ["wrongAudience", "wrongKey"])
    func `a token put wrong is refused and replaced`(_ kind: String) async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        try await condition(fixture, ["kind": .string(kind), "app": "mystica", "times": 1])
        #expect(await relaunch(fixture, device) == "map")
        let story = await story(fixture, 3)
        #expect(story.first?.hasPrefix("me 401 [wrong ") == true)
        #expect(story.dropFirst() == ["refresh 200", "me 200"])
    }

    @Test func `a stolen refresh token ends the session`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let made = await fixture.ask(.post, "/api/conditions", json: ["set": "session-killer"])
        #expect(made.status == 201)
        #expect(await relaunch(fixture, device) == "login")
        #expect(
            await story(fixture, 2) == [
                "me 401 [access token expired, 1 of 1]",
                "refresh 401 [refresh token reused, 1 of 1]",
            ])
        let session = await fixture.ask(.get, "/api/sessions").json
        #expect(session["items"]?[0]?["state"] == "revoked")
    }

    @Test func `a right password meets a locked account once`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        await fixture.succeed(.delete, "/api/devices/\(device)/apps/mystica/storage")
        _ = await relaunch(fixture, device)
        try await condition(fixture, ["kind": "accountLocked", "times": 1])
        #expect(await login(fixture, device) == "/apps/mystica/login")
        #expect(await login(fixture, device) == "/apps/mystica/map")
        #expect(await story(fixture, 2) == ["login 429 [account locked, 1 of 1]", "login 200"])
    }

    @Test func `a wrong password uses no lock up`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        await fixture.succeed(.delete, "/api/devices/\(device)/apps/mystica/storage")
        _ = await relaunch(fixture, device)
        try await condition(fixture, ["kind": "accountLocked", "times": 1])
        await fixture.submitted(
            "/apps/mystica/login/submit",
            [("email", "nora@example.com"), ("password", "wrong horse")], device: device)
        #expect(await story(fixture, 1) == ["login 400"])
        let left = await fixture.ask(.get, "/api/conditions").json
        #expect(left["items"]?[0]?["used"]?.int == 0)
    }

    @Test func `a lost mail is explained to whoever waits`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        try await condition(fixture, ["kind": "mailLost", "times": 1])
        #expect(await register(fixture, device) == "/apps/mystica/verify")
        #expect(await story(fixture, 1) == ["register 200 [mail lost, 1 of 1]"])
        let reason = try await fixture.backend.mailbox.explainMissingMail(
            workspace: "main", to: "nora@example.com", purpose: nil, since: nil)
        #expect(reason.contains("a condition swallowed it"))
        let page = await fixture.page("/mailbox")
        #expect(page.text.contains("a condition swallowed it"))
        #expect(await fixture.ask(.get, "/api/mailbox").json["total"] == 0)
        await fixture.submitted("/apps/mystica/verify/resend", [], device: device)
        let mail = await fixture.ask(.get, "/api/mailbox").json
        #expect(mail["total"] == 1)
    }

    @Test func `a right code can be too late`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        func login(_ code: String) async {
            await fixture.submitted(
                "/apps/wall/login/submit", [("email", "sam@campus.edu"), ("code", code)],
                device: device)
        }
        await fixture.submitted(
            "/apps/wall/register/submit", [("email", "sam@campus.edu")], device: device)
        let mail = await fixture.ask(.get, "/api/mailbox").json
        let code = try #require(mail["items"]?[0]?["code"]?.string)
        try await condition(fixture, ["kind": "codeExpired", "app": "wall", "times": 1])
        await login(code)
        let late = await story(fixture, 1)
        #expect(late.first?.hasPrefix("login 4") == true)
        #expect(late.first?.hasSuffix("[code expired, 1 of 1]") == true)
        await login(code)
        #expect(await story(fixture, 1) == ["login 200"])
    }

    @Test func `a backend two hours ahead finds the token dead`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        try await condition(fixture, ["kind": "clockSkew", "times": 1, "skew": 7_200])
        #expect(await relaunch(fixture, device) == "map")
        #expect(
            await story(fixture, 3) == ["me 401 [clock skew, 1 of 1]", "refresh 200", "me 200"])
    }

    @Test func `a stranger's ticket opens nothing`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        try await condition(fixture, ["kind": "clockSkew", "skew": 7_200])
        let answer = await fixture.backend.responder(
            Request(
                method: .post, target: "/main/mystica/api/v1/auth/login",
                headers: [
                    "Host": "127.0.0.1:7071", "Foyer-Ticket": "tkt_0001",
                    "Content-Type": "application/json",
                ], body: Array(#"{"email":"a@b.cd","password":"x"}"#.utf8)))
        #expect(answer.status == 400)
        _ = device
        let left = await fixture.ask(.get, "/api/conditions").json
        #expect(left["items"]?[0]?["used"]?.int == 0)
    }

    @Test func `what passes through meets the network's conditions too`() async throws {
        let fixture = try await FoyerFixture()
        try await condition(
            fixture,
            ["kind": "status", "call": "login", "app": "mystica", "times": 1, "status": 503])
        func login() async -> Response {
            await fixture.site.responder(
                Request(
                    method: .post, target: "/through/main/mystica/auth/login",
                    headers: [
                        "Host": "127.0.0.1:7070", "X-Foyer-Key": FoyerFixture.key,
                        "Content-Type": "application/json",
                    ], body: Array(#"{"email":"a@b.cd","password":"wrong"}"#.utf8)))
        }
        let struck = await login()
        #expect(struck.status == 503)
        #expect(struck.headers["Foyer-Condition"] == "status 503, 1 of 1")
        #expect(await login().status == 400)
        #expect(await story(fixture, 2) == ["login 503 [status 503, 1 of 1]", "login 400"])
    }

    @Test func `an app's screens do not know of conditions`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        await fixture.shown("/apps/mystica/login", device: device)
        let before = await fixture.page("/apps/mystica/login", device: device)
        try await condition(fixture, ["kind": "offline"])
        let after = await fixture.page("/apps/mystica/login", device: device)
        #expect(before.text == after.text)
    }
}
