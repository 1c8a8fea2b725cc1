import Support
import Testing
import Web

/// Starting from a seed: a user is signed in without typing.
@Suite(.timeLimit(.minutes(10))) struct StudioSeedTests {
    private static let apps = ["mystica", "bob", "wall", "socoto", "clarity"]

    private func appState(_ fixture: FoyerFixture, _ device: String, _ app: String) async -> JSON {
        await fixture.ask(.get, "/api/devices/\(device)/apps/\(app)").json
    }

    @Test(arguments: apps) func `one click signs a user in`(app: String) async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        let page = await fixture.page("/studio/\(app)", device: device).text
        #expect(page.contains("data-testid=\"studio.seed\""))
        let sent = await fixture.submit("/studio/\(app)/seed", [], device: device)
        #expect(sent.status == 303)
        #expect(sent.location == "/studio/\(app)")
        let seeded = await appState(fixture, device, app)
        #expect(seeded["session"]?["state"] == "active")
        let after = await fixture.page("/studio/\(app)", device: device).text
        #expect(!after.contains("data-testid=\"studio.seed\""))
    }

    @Test(arguments: apps) func `the seed state expired creates an expired session`(app: String)
        async throws
    {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        let sent = await fixture.submit(
            "/studio/\(app)/seed", [("state", "expired")], device: device)
        #expect(sent.status == 303)
        let seeded = await appState(fixture, device, app)
        #expect(seeded["session"]?["state"] == "expired")
    }

    @Test func `the seed state revoked leaves a session on the device only`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        let sent = await fixture.submit(
            "/studio/mystica/seed", [("state", "revoked")], device: device)
        #expect(sent.status == 303)
        let held = await appState(fixture, device, "mystica")
        #expect(held["session"]?["accessToken"]?["masked"] != nil)
        let launched = await fixture.ask(.post, "/api/devices/\(device)/apps/mystica/relaunch")
        #expect(launched.json["screen"] == "login")
        #expect(launched.json["storage"] == .array([]))
    }

    @Test func `the studio shows that the server revoked a session`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        await fixture.submitSuccessfully("/studio/mystica/seed", [], device: device)
        let healthy = await fixture.page("/studio/mystica", device: device).text
        #expect(healthy.contains("studio.token.access"))
        #expect(!healthy.contains("studio.session.mismatch"))
        let session = try await fixture.session()
        await fixture.succeed(.post, "/api/sessions/\(session)/refresh")
        await fixture.succeed(
            .post, "/api/sessions/\(session)/refresh-tests",
            json: ["kind": "replay", "generation": 1])
        let page = await fixture.page("/studio/mystica?part=tokens", device: device)
        #expect(page.text.contains("studio.session.mismatch"))
        #expect(page.text.contains("Revoked"))
        #expect(page.text.contains("The device has not noticed"))
    }

    @Test(arguments: ["unverified", "locked", "asleep"])
    func `a seed state without a session is rejected`(state: String) async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        let sent = await fixture.submit("/studio/mystica/seed", [("state", state)], device: device)
        #expect(sent.status == 400)
        let accounts = await fixture.ask(.get, "/api/accounts").json
        #expect(accounts["total"] == 0)
    }

    @Test func `a seed does not replace a signed-in user`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        await fixture.submitSuccessfully("/studio/bob/seed", [], device: device)
        let again = await fixture.submit("/studio/bob/seed", [], device: device)
        #expect(again.status == 409)
        let accounts = await fixture.ask(.get, "/api/accounts").json
        #expect(accounts["total"] == 1)
    }

    @Test func `a real backend neither accepts nor offers seeds`() async throws {
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

    @Test func `a workspace can be created with a revoked session`() async throws {
        let fixture = try await FoyerFixture()
        let created = await fixture.ask(
            .post, "/api/workspaces",
            json: ["seed": ["app": "mystica-instant", "state": "revoked"]])
        #expect(created.status == 201)
        #expect(created.json["session"]?.string != nil)
    }
}
