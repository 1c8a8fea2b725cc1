import Support
import Testing
import Web

/// Starting from a seed: somebody is signed in without typing.
@Suite(.timeLimit(.minutes(10))) struct StudioSeedTests {
    private static let apps = ["mystica", "bob", "wall", "socoto", "clarity"]

    private func situation(_ fixture: FoyerFixture, _ device: String, _ app: String) async -> JSON {
        await fixture.ask(.get, "/api/devices/\(device)/apps/\(app)").json
    }

    @Test(arguments: apps) func `one click signs somebody in`(app: String) async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        let page = await fixture.page("/studio/\(app)", device: device).text
        #expect(page.contains("data-testid=\"studio.seed\""))
        let sent = await fixture.submit("/studio/\(app)/seed", [], device: device)
        #expect(sent.status == 303)
        #expect(sent.location == "/studio/\(app)")
        let stands = await situation(fixture, device, app)
        #expect(stands["session"]?["state"] == "active")
        let after = await fixture.page("/studio/\(app)", device: device).text
        #expect(!after.contains("data-testid=\"studio.seed\""))
    }

    @Test(arguments: apps) func `an expired token is one whose end has passed`(app: String)
        async throws
    {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        let sent = await fixture.submit(
            "/studio/\(app)/seed", [("state", "expired")], device: device)
        #expect(sent.status == 303)
        let stands = await situation(fixture, device, app)
        #expect(stands["session"]?["state"] == "expired")
    }

    @Test func `a revoked session is held by the device alone`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        let sent = await fixture.submit(
            "/studio/mystica/seed", [("state", "revoked")], device: device)
        #expect(sent.status == 303)
        let held = await situation(fixture, device, "mystica")
        #expect(held["session"]?["accessToken"]?["masked"] != nil)
        let launched = await fixture.ask(.post, "/api/devices/\(device)/apps/mystica/relaunch")
        #expect(launched.json["screen"] == "login")
        #expect(launched.json["storage"] == .array([]))
    }

    @Test func `the studio says that a session was revoked at its server`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        await fixture.submitted("/studio/mystica/seed", [], device: device)
        let healthy = await fixture.page("/studio/mystica", device: device).text
        #expect(healthy.contains("studio.token.access"))
        #expect(!healthy.contains("studio.session.over"))
        let session = try await fixture.session()
        await fixture.succeed(.post, "/api/sessions/\(session)/refresh")
        await fixture.succeed(
            .post, "/api/sessions/\(session)/trials", json: ["kind": "replay", "generation": 1])
        let page = await fixture.page("/studio/mystica?part=tokens", device: device)
        #expect(page.text.contains("studio.session.over"))
        #expect(page.text.contains("Revoked"))
        #expect(page.text.contains("the phone does not know yet"))
    }

    @Test(arguments: ["unverified", "locked", "asleep"])
    func `a state that is no session is refused`(state: String) async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        let sent = await fixture.submit("/studio/mystica/seed", [("state", state)], device: device)
        #expect(sent.status == 400)
        let accounts = await fixture.ask(.get, "/api/accounts").json
        #expect(accounts["total"] == 0)
    }

    @Test func `nobody is signed in over somebody`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        await fixture.submitted("/studio/bob/seed", [], device: device)
        let again = await fixture.submit("/studio/bob/seed", [], device: device)
        #expect(again.status == 409)
        let accounts = await fixture.ask(.get, "/api/accounts").json
        #expect(accounts["total"] == 1)
    }

    @Test func `a real backend takes no seeds and offers none`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        await fixture.succeed(
            .patch, "/api/devices/\(device)/apps/mystica", json: ["backend": "local"])
        let page = await fixture.page("/studio/mystica", device: device).text
        #expect(page.contains("data-testid=\"studio.tokens.none\""))
        #expect(!page.contains("data-testid=\"studio.seed\""))
        let sent = await fixture.submit("/studio/mystica/seed", [], device: device)
        #expect(sent.status == 409)
    }

    @Test func `a workspace can begin with a revoked session`() async throws {
        let fixture = try await FoyerFixture()
        let made = await fixture.ask(
            .post, "/api/workspaces",
            json: ["seed": ["app": "mystica-instant", "state": "revoked"]])
        #expect(made.status == 201)
        #expect(made.json["session"]?.string != nil)
    }
}
