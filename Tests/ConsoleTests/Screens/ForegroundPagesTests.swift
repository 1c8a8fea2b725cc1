import Support
import Testing
import Web

/// Screens that load again, and an app in the background.
@Suite(.timeLimit(.minutes(10))) struct ForegroundPagesTests {
    private let screen = "/apps/mystica/map"

    /// Number of the app's own requests.
    private func loadCount(_ fixture: FoyerFixture) async -> Int? {
        await fixture.ask(.get, "/api/exchanges?call=me&limit=100").json["items"]?.elements.count
    }

    @Test func `a browser's reload loads the screen again, a request for its page does not`()
        async throws
    {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let before = try #require(await loadCount(fixture))
        _ = await fixture.page(screen, device: device)
        #expect(await loadCount(fixture) == before)
        _ = await fixture.page(screen, device: device, headers: [("Cache-Control", "max-age=0")])
        #expect(await loadCount(fixture) == before + 1)
        _ = await fixture.page(
            screen, device: device,
            headers: [("Cache-Control", "max-age=0"), ("Sec-Fetch-Dest", "iframe")])
        _ = await fixture.page(
            screen + "?still=1", device: device, headers: [("Cache-Control", "no-cache")])
        #expect(await loadCount(fixture) == before + 1)
    }

    @Test func `only a screen with loads has the refresh control, and the page works without it`()
        async throws
    {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let map = await fixture.page(screen, device: device).text
        #expect(map.contains(#"action="/apps/mystica/map/refresh""#))
        let before = try #require(await loadCount(fixture))
        let sent = await fixture.submit(screen + "/refresh", [], device: device)
        #expect(sent.location == screen)
        #expect(await loadCount(fixture) == before + 1)
        let settings = await fixture.page("/apps/mystica/settings", device: device).text
        #expect(!settings.contains("data-refresh"))
        let stale = await fixture.submit(screen + "/refresh", [], device: device)
        #expect(stale.location == "/apps/mystica/settings")
        #expect(await loadCount(fixture) == before + 1)
    }

    @Test func `in the background the page is inert, and its forms have no effect`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let app = "/api/devices/\(device)/apps/mystica"
        let before = try #require(await loadCount(fixture))
        let sent = await fixture.submit("/studio/mystica/background", [], device: device)
        #expect(sent.location == "/studio/mystica")
        let page = await fixture.page(screen, device: device).text
        #expect(page.contains(#"<main class="screen" inert>"#))
        #expect(page.contains("In the background"))
        for target in ["/settings/logout", "/map/refresh", "/settings", "/splash/launch"] {
            let refused = await fixture.submit("/apps/mystica" + target, [], device: device)
            #expect(refused.location == screen, "\(target)")
        }
        #expect(await fixture.ask(.get, app).json["inBackground"] == true)
        #expect(await loadCount(fixture) == before)
        let foreground = await fixture.ask(.post, app + "/foreground")
        #expect(foreground.json["inBackground"] == false)
        #expect(await loadCount(fixture) == before + 1)
    }
}
