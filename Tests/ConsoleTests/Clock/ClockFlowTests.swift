import FoundationEssentials
import Support
import Testing
import Web

@Suite(.timeLimit(.minutes(10))) struct ClockFlowTests {
    @Test func `the app refreshes silently after its access token expired`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let before = await fixture.ask(.get, "/api/sessions/\(try await fixture.session())").json
        #expect(before["state"] == "active")
        await fixture.succeed(.patch, "/api/clock", json: ["advance": 3_700])
        let expired = await fixture.ask(.get, "/api/sessions/\(try await fixture.session())").json
        #expect(expired["state"] == "expired")
        let launched = await fixture.ask(.post, "/api/devices/\(device)/apps/mystica/relaunch")
        #expect(launched.json["screen"] == "map")
        let after = await fixture.ask(.get, "/api/sessions/\(try await fixture.session())").json
        #expect(after["state"] == "active")
        #expect(after["refreshCount"] == 1)
    }

    @Test func `exchanges keep the system time, sessions use the workspace clock`() async throws {
        let fixture = try await FoyerFixture()
        await fixture.succeed(.patch, "/api/clock", json: ["advance": 3_700])
        _ = try await fixture.registered()
        let id = try await fixture.exchange()
        let exchange = await fixture.ask(.get, "/api/exchanges/\(id)").json
        #expect(exchange["startedAt"]?.string == fixture.frozen.now.iso8601)
        let session = await fixture.ask(.get, "/api/sessions/\(try await fixture.session())").json
        #expect(session["createdAt"]?.string == (fixture.frozen.now + 3_700).iso8601)
    }

    @Test func `a console page shows that the clock was moved`() async throws {
        let fixture = try await FoyerFixture()
        await fixture.succeed(.patch, "/api/clock", json: ["advance": 900, "freeze": true])
        let page = await fixture.page("/sessions").text
        #expect(page.contains("Frozen, +15 min"))
        #expect(page.contains("value=\"go\""))
    }

    @Test func `the studio warns that a real backend ignores the moved clock`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        let unmoved = await fixture.page("/studio/mystica", device: device).text
        #expect(!unmoved.contains("clock.banner"))
        await fixture.succeed(.patch, "/api/clock", json: ["advance": 900])
        let moved = await fixture.page("/studio/mystica", device: device).text
        #expect(moved.contains("clock.banner"))
        #expect(moved.contains("Clock: +15 min"))
        #expect(!moved.contains("whose own clock did not move"))
        await fixture.succeed(
            .patch, "/api/devices/\(device)/apps/mystica", json: ["backend": "production"])
        let real = await fixture.page("/studio/mystica", device: device).text
        #expect(real.contains("whose own clock did not move"))
        let part = await fixture.page("/studio/mystica?part=banner", device: device).text
        #expect(part.contains("whose own clock did not move"))
        // The fault banner takes precedence; the clock control still shows the offset.
        await fixture.succeed(.post, "/api/faults", json: ["kind": "offline"])
        let offline = await fixture.page("/studio/mystica", device: device).text
        #expect(!offline.contains("clock.banner"))
        #expect(offline.contains("+15 min"))
    }

    @Test func `a clock button redirects back to its page`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        let response = await fixture.submit(
            "/clock", [("act", "900"), ("back", "/sessions?state=active")], device: device)
        #expect(response.status == 303)
        #expect(response.location == "/sessions?state=active")
        let clock = await fixture.ask(.get, "/api/clock").json
        #expect(clock["now"]?.string == (fixture.frozen.now + 900).iso8601)
    }

    @Test(arguments: ["//evil.example", "https://evil.example", "/\\evil", ""])
    func `a clock button never redirects outside the console`(back: String) async throws {
        let fixture = try await FoyerFixture()
        let response = await fixture.submit(
            "/clock", [("act", "60"), ("back", back)], device: await fixture.device())
        #expect(response.location == "/clock")
    }

    @Test func `an invalid time is reported next to its field`() async throws {
        let fixture = try await FoyerFixture()
        let response = await fixture.submit(
            "/clock", [("act", "set"), ("at", "noon")], device: await fixture.device())
        #expect(response.status == 422)
        let error = response.text.firstRange(of: "data-testid=\"clock.error\"")
        #expect(response.text[try #require(error).upperBound...].contains("Invalid date."))
    }
}
