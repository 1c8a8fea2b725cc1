import Support
import Testing
import Web

/// Starting from a seed: somebody is signed in without typing.
@Suite(.timeLimit(.minutes(10))) struct StudioSeedTests {
    private static let apps = ["mystica", "bob", "wall", "socoto", "clarity"]

    private func situation(_ house: WholeHouse, _ device: String, _ app: String) async -> JSON {
        await house.ask(.get, "/api/devices/\(device)/apps/\(app)").json
    }

    @Test(arguments: apps) func `one click signs somebody in`(app: String) async throws {
        let house = try await WholeHouse()
        let device = await house.device()
        let page = await house.page("/studio/\(app)", device: device).text
        #expect(page.contains("data-testid=\"studio.seed\""))
        let sent = await house.submit("/studio/\(app)/seed", [], device: device)
        #expect(sent.status == 303)
        #expect(sent.location == "/studio/\(app)")
        let stands = await situation(house, device, app)
        #expect(stands["session"]?["state"] == "active")
        let after = await house.page("/studio/\(app)", device: device).text
        #expect(!after.contains("data-testid=\"studio.seed\""))
    }

    @Test(arguments: apps) func `an expired token is one whose end has passed`(app: String)
        async throws
    {
        let house = try await WholeHouse()
        let device = await house.device()
        let sent = await house.submit("/studio/\(app)/seed", [("state", "expired")], device: device)
        #expect(sent.status == 303)
        let stands = await situation(house, device, app)
        #expect(stands["session"]?["state"] == "expired")
    }

    @Test func `a revoked session is held by the device alone`() async throws {
        let house = try await WholeHouse()
        let device = await house.device()
        let sent = await house.submit(
            "/studio/mystica/seed", [("state", "revoked")], device: device)
        #expect(sent.status == 303)
        let held = await situation(house, device, "mystica")
        #expect(held["session"]?["accessToken"]?["masked"] != nil)
        let launched = await house.ask(.post, "/api/devices/\(device)/apps/mystica/relaunch")
        #expect(launched.json["screen"] == "login")
        #expect(launched.json["storage"] == .array([]))
    }

    @Test func `the studio says that a session was revoked at its server`() async throws {
        let house = try await WholeHouse()
        let device = await house.device()
        await house.submitted("/studio/mystica/seed", [], device: device)
        let healthy = await house.page("/studio/mystica", device: device).text
        #expect(healthy.contains("studio.token.access"))
        #expect(!healthy.contains("studio.session.over"))
        let session = try await house.session()
        await house.succeed(.post, "/api/sessions/\(session)/refresh")
        await house.succeed(
            .post, "/api/sessions/\(session)/trials", json: ["kind": "replay", "generation": 1])
        let page = await house.page("/studio/mystica?part=tokens", device: device)
        #expect(page.text.contains("studio.session.over"))
        #expect(page.text.contains("Revoked"))
        #expect(page.text.contains("the phone does not know yet"))
    }

    @Test(arguments: ["unverified", "locked", "asleep"])
    func `a state that is no session is refused`(state: String) async throws {
        let house = try await WholeHouse()
        let device = await house.device()
        let sent = await house.submit("/studio/mystica/seed", [("state", state)], device: device)
        #expect(sent.status == 400)
        let accounts = await house.ask(.get, "/api/accounts").json
        #expect(accounts["total"] == 0)
    }

    @Test func `nobody is signed in over somebody`() async throws {
        let house = try await WholeHouse()
        let device = await house.device()
        await house.submitted("/studio/bob/seed", [], device: device)
        let again = await house.submit("/studio/bob/seed", [], device: device)
        #expect(again.status == 409)
        let accounts = await house.ask(.get, "/api/accounts").json
        #expect(accounts["total"] == 1)
    }

    @Test func `a real backend takes no seeds and offers none`() async throws {
        let house = try await WholeHouse()
        let device = await house.device()
        await house.succeed(
            .patch, "/api/devices/\(device)/apps/mystica", json: ["backend": "local"])
        let page = await house.page("/studio/mystica", device: device).text
        #expect(page.contains("data-testid=\"studio.tokens.none\""))
        #expect(!page.contains("data-testid=\"studio.seed\""))
        let sent = await house.submit("/studio/mystica/seed", [], device: device)
        #expect(sent.status == 409)
    }

    @Test func `a workspace can begin with a revoked session`() async throws {
        let house = try await WholeHouse()
        let made = await house.ask(
            .post, "/api/workspaces",
            json: ["seed": ["app": "mystica-instant", "state": "revoked"]])
        #expect(made.status == 201)
        #expect(made.json["session"]?.string != nil)
    }
}
