import Core
import Simulator
import Support
import Testing
import Web

@Suite(.timeLimit(.minutes(10))) struct SeedSessionTests {
    @Test func `the form of the list creates a session on a new device`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        let list = await fixture.page("/sessions").text
        #expect(list.contains("/sessions/seed") && !list.contains("sessions.signoutall"))
        let form = await fixture.page("/sessions/seed?app=mystica&part=dialog").text
        #expect(form.contains("New device") && form.contains("seed.state"))
        let seeded = await fixture.submit(
            "/sessions/seed", [("app", "mystica"), ("state", "expired"), ("device", "")],
            device: device)
        let page = await fixture.page(try #require(seeded.location))
        #expect(page.text.contains("Expired"))
        #expect(try await fixture.simulator.devices(in: "main").total == 2)
    }

    @Test func `an error stays in the form`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let rejected = await fixture.submit(
            "/sessions/seed", [("app", "mystica"), ("state", "revoked"), ("device", device)],
            device: device)
        #expect(rejected.status == 409)
        #expect(rejected.text.contains("Sign out on the device"))
        #expect(rejected.text.contains("<option value=\"revoked\" selected"))
        let unknown = await fixture.submit(
            "/sessions/seed", [("app", "none")], device: device)
        #expect(unknown.status == 400)
    }

    @Test func `a user is seeded into an existing device by the API`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        let path = "/api/devices/\(device)/apps/mystica/seed"
        let seeded = await fixture.ask(.post, path)
        #expect(seeded.status == 201)
        let session = try #require(seeded.json["session"]?.string)
        #expect(seeded.json["user"]?["password"]?.string != nil)
        let read = await fixture.ask(.get, "/api/sessions/\(session)").json
        #expect(read["device"]?.string == device)
        #expect(read["state"]?.string == "active")
        #expect(await fixture.ask(.post, path).status == 409)
        let invalid = await fixture.ask(
            .post, "/api/devices/\(await fixture.device())/apps/mystica/seed",
            json: ["user": ["email": "no address"]])
        #expect(invalid.json["errors"]?[0]?["pointer"]?.string == "/user/email")
        #expect(
            await fixture.ask(.post, "/api/devices/\(device)/apps/none/seed").status == 404)
    }

    @Test func `all sessions, or those of a filter, are signed out`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        for name in ["zoe", "eve"] { _ = try await fixture.registered("\(name)@example.com") }
        let none = await fixture.ask(.delete, "/api/sessions?q=nobody")
        #expect(none.json["signedOut"]?.int == 0)
        let one = await fixture.ask(.delete, "/api/sessions?q=zoe")
        #expect(one.json["signedOut"]?.int == 1 && one.json["failed"]?.int == 0)
        let dialog = await fixture.page("/sessions/sign-out?app=mystica&part=dialog").text
        #expect(dialog.contains("Sign out 2 sessions of this list?"))
        #expect(dialog.contains("/sessions/sign-out?app=mystica\""))
        let signedOut = await fixture.submit(
            "/sessions/sign-out?app=mystica", [], device: device)
        #expect(signedOut.location == "/sessions")
        let sessions = await fixture.ask(.get, "/api/sessions?state=signedOut").json
        #expect(sessions["total"]?.int == 3)
    }

    @Test func `the head of a session that the server revoked says so`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        let seeded = await fixture.ask(
            .post, "/api/devices/\(device)/apps/mystica/seed", json: ["state": "revoked"])
        let session = try #require(seeded.json["session"]?.string)
        let state = await fixture.page("/sessions/\(session)?part=state").text
        #expect(state.contains("Revoked") && state.contains("chip-bad"))
        let page = await fixture.page("/sessions/\(session)").text
        #expect(page.contains("/studio/mystica?device=\(device)"))
    }
}
