import Backend
import Console
import Support
import Testing
import Traffic
import Web

/// Fault injection from the fault to what the user sees, with the embedded backend.
@Suite(.timeLimit(.minutes(10))) struct FaultInjectionTests {
    private func addFault(_ fixture: FoyerFixture, _ body: JSON) async throws {
        let added = await fixture.ask(.post, "/api/faults", json: body)
        #expect(added.status == 201)
    }

    /// Call, status and fault of the newest exchanges, oldest first.
    private func exchanges(_ fixture: FoyerFixture, _ count: Int) async -> [String] {
        let list = await fixture.ask(.get, "/api/exchanges?limit=\(count)")
        guard case .array(let items)? = list.json["items"] else { return [] }
        return items.reversed().map { item in
            let outcome =
                item["status"]?.int.map { String($0) } ?? item["failure"]?["kind"]?.string ?? "?"
            let label = item["fault"]?.string.map { " [\($0)]" } ?? ""
            return "\(item["call"]?.string ?? "?") \(outcome)\(label)"
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

    @Test func `a registration whose response was lost has taken effect`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        try await addFault(
            fixture,
            ["kind": "reset", "call": "register", "app": "mystica", "times": 1, "phase": "after"])
        #expect(await register(fixture, device) == "/apps/mystica/register")
        #expect(await register(fixture, device) == "/apps/mystica/register")
        let page = await fixture.page("/apps/mystica/register", device: device)
        #expect(page.text.contains("email already exists"))
        #expect(
            await exchanges(fixture, 2) == [
                "register connection [connection reset after 200, 1 of 1]", "register 422",
            ])
    }

    @Test func `an expired access token is refreshed silently`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        try await addFault(fixture, ["kind": "accessTokenExpired", "times": 1])
        #expect(await relaunch(fixture, device) == "map")
        #expect(
            await exchanges(fixture, 3) == [
                "me 401 [access token expired, 1 of 1]", "refresh 200", "me 200",
            ])
    }

    @Test(arguments: ["wrongAudience", "wrongKey"])
    func `a tampered token is rejected and replaced`(_ kind: String) async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        try await addFault(fixture, ["kind": .string(kind), "app": "mystica", "times": 1])
        #expect(await relaunch(fixture, device) == "map")
        let exchanges = await exchanges(fixture, 3)
        #expect(exchanges.first?.hasPrefix("me 401 [wrong ") == true)
        #expect(exchanges.dropFirst() == ["refresh 200", "me 200"])
    }

    @Test func `a reused refresh token ends the session`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let added = await fixture.ask(.post, "/api/faults", json: ["preset": "tokenTheft"])
        #expect(added.status == 201)
        #expect(await relaunch(fixture, device) == "login")
        #expect(
            await exchanges(fixture, 2) == [
                "me 401 [access token expired, 1 of 1]",
                "refresh 401 [refresh token reused, 1 of 1]",
            ])
        let session = await fixture.ask(.get, "/api/sessions").json
        #expect(session["items"]?[0]?["state"] == "revoked")
    }

    @Test func `a locked-account fault rejects one correct password`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        await fixture.succeed(.delete, "/api/devices/\(device)/apps/mystica/storage")
        _ = await relaunch(fixture, device)
        try await addFault(fixture, ["kind": "accountLocked", "times": 1])
        #expect(await login(fixture, device) == "/apps/mystica/login")
        #expect(await login(fixture, device) == "/apps/mystica/map")
        #expect(await exchanges(fixture, 2) == ["login 429 [account locked, 1 of 1]", "login 200"])
    }

    @Test func `a locked-account fault is Supabase's ban for one correct password`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        let credentials = [("email", "nora@example.com"), ("password", "correct horse")]
        await fixture.succeed(
            .post, "/api/accounts",
            json: ["app": "socoto", "email": "nora@example.com", "password": "correct horse"])
        try await addFault(fixture, ["kind": "accountLocked", "times": 1])
        await fixture.submitSuccessfully("/apps/socoto/loading/launch", [], device: device)
        for _ in 0..<2 {
            await fixture.submitSuccessfully(
                "/apps/socoto/signin/submit", credentials, device: device)
        }
        #expect(
            await exchanges(fixture, 3) == [
                "signIn 400 [account locked, 1 of 1]", "signIn 200", "profile 200",
            ])
    }

    @Test func `a wrong password does not use up a locked-account fault`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        await fixture.succeed(.delete, "/api/devices/\(device)/apps/mystica/storage")
        _ = await relaunch(fixture, device)
        try await addFault(fixture, ["kind": "accountLocked", "times": 1])
        await fixture.submitSuccessfully(
            "/apps/mystica/login/submit",
            [("email", "nora@example.com"), ("password", "wrong horse")], device: device)
        #expect(await exchanges(fixture, 1) == ["login 400"])
        let faults = await fixture.ask(.get, "/api/faults").json
        #expect(faults["items"]?[0]?["applied"]?.int == 0)
    }

    @Test func `the mailbox explains a mail that a fault lost`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        try await addFault(fixture, ["kind": "mailLost", "times": 1])
        #expect(await register(fixture, device) == "/apps/mystica/verify")
        #expect(await exchanges(fixture, 1) == ["register 200 [mail lost, 1 of 1]"])
        let reason = try await fixture.backend.mailbox.explainMissingMail(
            workspace: "main", to: "nora@example.com", purpose: nil, since: nil)
        #expect(reason.contains("a fault dropped it"))
        let page = await fixture.page("/mailbox")
        #expect(page.text.contains("a fault dropped it"))
        #expect(await fixture.ask(.get, "/api/mailbox").json["total"] == 0)
        await fixture.submitSuccessfully("/apps/mystica/verify/resend", [], device: device)
        let mail = await fixture.ask(.get, "/api/mailbox").json
        #expect(mail["total"] == 1)
    }

    @Test func `an expiredCode fault rejects one correct code`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        func login(_ code: String) async {
            await fixture.submitSuccessfully(
                "/apps/wall/login/submit", [("email", "sam@campus.edu"), ("code", code)],
                device: device)
        }
        await fixture.submitSuccessfully(
            "/apps/wall/register/submit", [("email", "sam@campus.edu")], device: device)
        let mail = await fixture.ask(.get, "/api/mailbox").json
        let code = try #require(mail["items"]?[0]?["code"]?.string)
        try await addFault(fixture, ["kind": "codeExpired", "app": "wall", "times": 1])
        await login(code)
        let expired = await exchanges(fixture, 1)
        #expect(expired.first?.hasPrefix("login 4") == true)
        #expect(expired.first?.hasSuffix("[code expired, 1 of 1]") == true)
        await login(code)
        #expect(await exchanges(fixture, 1) == ["login 200"])
    }

    @Test func `a backend two hours ahead rejects the token as expired`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        try await addFault(fixture, ["kind": "clockSkew", "times": 1, "skew": 7_200])
        #expect(await relaunch(fixture, device) == "map")
        #expect(
            await exchanges(fixture, 3) == ["me 401 [clock skew, 1 of 1]", "refresh 200", "me 200"])
    }

    @Test func `a guessed fault ticket has no effect`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        try await addFault(fixture, ["kind": "clockSkew", "skew": 7_200])
        let response = await fixture.backend.responder(
            Request(
                method: .post, target: "/main/mystica/api/v1/auth/login",
                headers: [
                    "Host": "127.0.0.1:7071", "X-Foyer-Ticket": "tkt_0001",
                    "Content-Type": "application/json",
                ], body: Array(#"{"email":"a@b.cd","password":"x"}"#.utf8)))
        #expect(response.status == 400)
        _ = device
        let faults = await fixture.ask(.get, "/api/faults").json
        #expect(faults["items"]?[0]?["applied"]?.int == 0)
    }

    @Test func `network faults apply to proxied calls too`() async throws {
        let fixture = try await FoyerFixture()
        try await addFault(
            fixture,
            ["kind": "status", "call": "login", "app": "mystica", "times": 1, "status": 503])
        func login() async -> Response {
            await fixture.site.responder(
                Request(
                    method: .post, target: "/proxy/main/mystica/auth/login",
                    headers: [
                        "Host": "127.0.0.1:7070", "X-Foyer-Key": FoyerFixture.key,
                        "Content-Type": "application/json",
                    ], body: Array(#"{"email":"a@b.cd","password":"wrong"}"#.utf8)))
        }
        let faulted = await login()
        #expect(faulted.status == 503)
        #expect(faulted.headers["X-Foyer-Fault"] == "status 503, 1 of 1")
        #expect(await login().status == 400)
        #expect(await exchanges(fixture, 2) == ["login 503 [status 503, 1 of 1]", "login 400"])
    }

    @Test func `an app's screens do not change while a fault is active`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        await fixture.expectPage("/apps/mystica/login", device: device)
        let before = await fixture.page("/apps/mystica/login", device: device)
        try await addFault(fixture, ["kind": "offline"])
        let after = await fixture.page("/apps/mystica/login", device: device)
        #expect(before.text == after.text)
    }
}
