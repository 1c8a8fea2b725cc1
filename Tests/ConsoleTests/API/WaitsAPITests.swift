import Core
import Support
import Testing
import Web

/// The calls that wait for an exchange, a session's state or an event.
@Suite(.timeLimit(.minutes(10))) struct WaitsAPITests {
    @Test func `an exchange that has ended is returned at once`() async throws {
        let fixture = try await FoyerFixture()
        _ = try await fixture.registered()
        let found = await fixture.ask(.get, "/api/exchanges/wait?call=register&status=200")
        #expect(found.status == 200)
        #expect(found.json["call"] == "register")
    }

    @Test func `a wait for an exchange ends with the exchange`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        async let found = fixture.ask(.get, "/api/exchanges/wait?call=register&timeout=60")
        await fixture.submitSuccessfully("/studio/mystica/seed", [], device: device)
        async let other = fixture.ask(.get, "/api/exchanges/wait?call=login&timeout=60")
        #expect(await other.json["call"] == "login")
        _ = try await fixture.registered()
        #expect(await found.json["call"] == "register")
    }

    @Test func `a wait in vain ends with 504`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        await fixture.submitSuccessfully("/studio/mystica/seed", [], device: device)
        let session = try await fixture.session()
        for path in [
            "/api/exchanges/wait?call=nothing", "/api/events/wait?kind=app.killed",
            "/api/sessions/\(session)/wait?state=revoked",
        ] {
            let timedOut = await fixture.ask(
                .get, path + (path.contains("?") ? "&" : "?") + "timeout=0")
            #expect(timedOut.status == 504, "\(path)")
        }
    }

    @Test func `a wait for a session's state ends when it is signed out`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        await fixture.submitSuccessfully("/studio/mystica/seed", [], device: device)
        let session = try await fixture.session()
        async let ended = fixture.ask(
            .get, "/api/sessions/\(session)/wait?state=signedOut&timeout=60")
        await fixture.succeed(.delete, "/api/sessions/\(session)")
        #expect(await ended.json["state"] == "signedOut")
    }

    @Test func `a wait for an expired session ends when the clock is moved`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        await fixture.submitSuccessfully("/studio/mystica/seed", [], device: device)
        let session = try await fixture.session()
        async let expired = fixture.ask(.get, "/api/sessions/\(session)/wait?timeout=60")
        await fixture.succeed(.patch, "/api/clock", json: ["advance": 4_000])
        #expect(await expired.json["state"] == "expired")
    }

    @Test func `an event is awaited after a known one`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let first = await fixture.ask(
            .get, "/api/events/wait?after=0&kind=exchange.ended&device=\(device)")
        #expect(first.json["kind"] == "exchange.ended")
        let id = try #require(first.json["id"]?.int)
        async let next = fixture.ask(
            .get, "/api/events/wait?after=\(id)&kind=app.killed&timeout=60")
        await fixture.succeed(.post, "/api/devices/\(device)/apps/mystica/force-quit")
        #expect(await next.json["kind"] == "app.killed")
        let one = await fixture.ask(.get, "/api/events/\(id)").json
        #expect(one == first.json)
    }

    @Test func `stored events are listed page by page`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let all = await fixture.ask(.get, "/api/events?format=json&device=\(device)").json
        let count = all["items"]?.elements.count ?? 0
        #expect(count > 3)
        #expect(all["next"] == .null)
        let page = await fixture.ask(.get, "/api/events?format=json&limit=2&device=\(device)").json
        #expect(page["total"]?.int == Int64(count) && page["totalIsExact"]?.bool == true)
        let next = try #require(page["next"]?.int)
        let rest = await fixture.ask(.get, "/api/events?format=json&after=\(next)").json
        #expect(rest["items"]?.elements.first?["id"] != page["items"]?.elements.last?["id"])
        let filtered = await fixture.ask(.get, "/api/events?kind=app.killed")
        #expect(filtered.status == 400)
        #expect(filtered.json["errors"]?[0]?["parameter"] == "kind")
    }
}
