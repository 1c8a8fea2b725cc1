import FoundationEssentials
import Support
import Testing
import Web

@Suite(.timeLimit(.minutes(10))) struct ClockFlowTests {
    @Test func `an hour later the app refreshes silently`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let before = await fixture.ask(.get, "/api/sessions/\(try await fixture.session())").json
        #expect(before["state"] == "active")
        await fixture.succeed(.patch, "/api/clock", json: ["advance": 3_700])
        let over = await fixture.ask(.get, "/api/sessions/\(try await fixture.session())").json
        #expect(over["state"] == "expired")
        let at = await fixture.ask(.post, "/api/devices/\(device)/apps/mystica/relaunch")
        #expect(at.json["screen"] == "map")
        let after = await fixture.ask(.get, "/api/sessions/\(try await fixture.session())").json
        #expect(after["state"] == "active")
        #expect(after["refreshCount"] == 1)
    }

    @Test func `what really happened keeps the real time`() async throws {
        let fixture = try await FoyerFixture()
        await fixture.succeed(.patch, "/api/clock", json: ["advance": 3_700])
        _ = try await fixture.registered()
        let id = try await fixture.exchange()
        let exchange = await fixture.ask(.get, "/api/exchanges/\(id)").json
        #expect(exchange["startedAt"]?.string == fixture.frozen.now.iso8601)
        let session = await fixture.ask(.get, "/api/sessions/\(try await fixture.session())").json
        #expect(session["createdAt"]?.string == (fixture.frozen.now + 3_700).iso8601)
    }

    @Test func `every page says that the clock was moved`() async throws {
        let fixture = try await FoyerFixture()
        await fixture.succeed(.patch, "/api/clock", json: ["advance": 900, "freeze": true])
        let page = await fixture.page("/sessions").text
        #expect(page.contains("frozen, +15 min"))
        #expect(page.contains("value=\"go\""))
    }

    @Test func `a studio says that its real backend's clock stays`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        let quiet = await fixture.page("/studio/mystica", device: device).text
        #expect(!quiet.contains("clock.banner"))
        await fixture.succeed(.patch, "/api/clock", json: ["advance": 900])
        let own = await fixture.page("/studio/mystica", device: device).text
        #expect(own.contains("clock.banner"))
        #expect(own.contains("Clock +15 min"))
        #expect(!own.contains("whose own clock did not move"))
        await fixture.succeed(
            .patch, "/api/devices/\(device)/apps/mystica", json: ["backend": "production"])
        let real = await fixture.page("/studio/mystica", device: device).text
        #expect(real.contains("whose own clock did not move"))
        let part = await fixture.page("/studio/mystica?part=banner", device: device).text
        #expect(part.contains("whose own clock did not move"))
        // What goes wrong on purpose comes first; the gauge still tells it.
        await fixture.succeed(.post, "/api/conditions", json: ["kind": "offline"])
        let offline = await fixture.page("/studio/mystica", device: device).text
        #expect(!offline.contains("clock.banner"))
        #expect(offline.contains("+15 min"))
    }

    @Test func `a button leads back to the page it was on`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        let answer = await fixture.submit(
            "/clock", [("act", "900"), ("back", "/sessions?state=active")], device: device)
        #expect(answer.status == 303)
        #expect(answer.location == "/sessions?state=active")
        let clock = await fixture.ask(.get, "/api/clock").json
        #expect(clock["now"]?.string == (fixture.frozen.now + 900).iso8601)
    }

    @Test(arguments: ["//evil.example", "https://evil.example", "/\\evil", ""])
    func `and never off the console`(back: String) async throws {
        let fixture = try await FoyerFixture()
        let answer = await fixture.submit(
            "/clock", [("act", "60"), ("back", back)], device: await fixture.device())
        #expect(answer.location == "/clock")
    }

    @Test func `a time that is none is told beside the field`() async throws {
        let fixture = try await FoyerFixture()
        let answer = await fixture.submit(
            "/clock", [("act", "set"), ("at", "noon")], device: await fixture.device())
        #expect(answer.status == 422)
        let error = answer.text.firstRange(of: "data-testid=\"clock.error\"")
        #expect(answer.text[try #require(error).upperBound...].contains("That is no time."))
    }
}
