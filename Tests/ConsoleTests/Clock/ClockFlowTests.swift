import FoundationEssentials
import Support
import Testing
import Web

@Suite(.timeLimit(.minutes(10))) struct ClockFlowTests {
    @Test func `an hour later the app refreshes silently`() async throws {
        let house = try await WholeHouse()
        let device = try await house.registered()
        let before = await house.ask(.get, "/api/sessions/\(try await house.session())").json
        #expect(before["state"] == "active")
        await house.succeed(.patch, "/api/clock", json: ["advance": 3_700])
        let over = await house.ask(.get, "/api/sessions/\(try await house.session())").json
        #expect(over["state"] == "expired")
        let at = await house.ask(.post, "/api/devices/\(device)/apps/mystica/relaunch")
        #expect(at.json["screen"] == "map")
        let after = await house.ask(.get, "/api/sessions/\(try await house.session())").json
        #expect(after["state"] == "active")
        #expect(after["refreshCount"] == 1)
    }

    @Test func `what really happened keeps the real time`() async throws {
        let house = try await WholeHouse()
        await house.succeed(.patch, "/api/clock", json: ["advance": 3_700])
        _ = try await house.registered()
        let id = try await house.exchange()
        let exchange = await house.ask(.get, "/api/exchanges/\(id)").json
        #expect(exchange["startedAt"]?.string == house.frozen.now.iso8601)
        let session = await house.ask(.get, "/api/sessions/\(try await house.session())").json
        #expect(session["createdAt"]?.string == (house.frozen.now + 3_700).iso8601)
    }

    @Test func `every page says that the clock was moved`() async throws {
        let house = try await WholeHouse()
        await house.succeed(.patch, "/api/clock", json: ["advance": 900, "freeze": true])
        let page = await house.page("/sessions").text
        #expect(page.contains("frozen, +15 min"))
        #expect(page.contains("value=\"go\""))
    }

    @Test func `a studio says that its real backend's clock stays`() async throws {
        let house = try await WholeHouse()
        let device = await house.device()
        let quiet = await house.page("/studio/mystica", device: device).text
        #expect(!quiet.contains("clock.banner"))
        await house.succeed(.patch, "/api/clock", json: ["advance": 900])
        let own = await house.page("/studio/mystica", device: device).text
        #expect(own.contains("clock.banner"))
        #expect(own.contains("Clock +15 min"))
        #expect(!own.contains("whose own clock did not move"))
        await house.succeed(
            .patch, "/api/devices/\(device)/apps/mystica", json: ["backend": "production"])
        let real = await house.page("/studio/mystica", device: device).text
        #expect(real.contains("whose own clock did not move"))
        let part = await house.page("/studio/mystica?part=banner", device: device).text
        #expect(part.contains("whose own clock did not move"))
        // What goes wrong on purpose comes first; the gauge still tells it.
        await house.succeed(.post, "/api/conditions", json: ["kind": "offline"])
        let offline = await house.page("/studio/mystica", device: device).text
        #expect(!offline.contains("clock.banner"))
        #expect(offline.contains("+15 min"))
    }

    @Test func `a button leads back to the page it was on`() async throws {
        let house = try await WholeHouse()
        let device = await house.device()
        let answer = await house.submit(
            "/clock", [("act", "900"), ("back", "/sessions?state=active")], device: device)
        #expect(answer.status == 303)
        #expect(answer.location == "/sessions?state=active")
        let clock = await house.ask(.get, "/api/clock").json
        #expect(clock["now"]?.string == (house.frozen.now + 900).iso8601)
    }

    @Test(arguments: ["//evil.example", "https://evil.example", "/\\evil", ""])
    func `and never off the console`(back: String) async throws {
        let house = try await WholeHouse()
        let answer = await house.submit(
            "/clock", [("act", "60"), ("back", back)], device: await house.device())
        #expect(answer.location == "/clock")
    }

    @Test func `a time that is none is told beside the field`() async throws {
        let house = try await WholeHouse()
        let answer = await house.submit(
            "/clock", [("act", "set"), ("at", "noon")], device: await house.device())
        #expect(answer.status == 422)
        let error = answer.text.firstRange(of: "data-testid=\"clock.error\"")
        #expect(answer.text[try #require(error).upperBound...].contains("That is no time."))
    }
}
