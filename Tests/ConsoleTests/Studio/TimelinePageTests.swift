import Core
import Support
import Testing
import Web

/// The page of the timeline.
@Suite(.timeLimit(.minutes(10))) struct TimelinePageTests {
    @Test func `events link to their pages, the newest group first`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let page = await fixture.page("/studio/mystica/timeline", device: device)
        #expect(page.status == 200)
        let events = fixture.hub.events(in: "main").filter {
            $0.device == device && $0.kind == .screenShown
        }
        #expect(!events.isEmpty)
        for event in events { #expect(page.text.contains("href=\"/events/\(event.id)\"")) }
        let newest = try #require(page.text.firstRange(of: ">Launch "))
        let oldest = try #require(page.text.firstRange(of: ">Register "))
        #expect(newest.lowerBound < oldest.lowerBound)
    }

    @Test func `event groups have headings and are not landmarks`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let page = await fixture.page("/studio/mystica/timeline", device: device)
        #expect(page.text.contains("<h2 class=\"block-head\">Register "))
        // Two landmarks with the same name within a second would be indistinguishable.
        #expect(!page.text.contains("aria-labelledby=\"group-"))
    }

    @Test func `only the list is served as a part`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let address = "/studio/mystica/timeline?part="
        let part = await fixture.page(address + "groups", device: device)
        #expect(part.status == 200)
        #expect(part.text.contains("timeline.row"))
        #expect(!part.text.contains("<html"))
        let unknownPart = await fixture.page(address + "cellar", device: device)
        #expect(unknownPart.status == 404)
        let unknownApp = await fixture.page("/studio/nobody/timeline")
        #expect(unknownApp.status == 404)
    }

    @Test func `before the first launch the page shows an empty state`() async throws {
        let fixture = try await FoyerFixture()
        let page = await fixture.page("/studio/mystica/timeline", device: await fixture.device())
        #expect(page.status == 200)
        #expect(page.text.contains("data-testid=\"empty\""))
        #expect(!page.text.contains("timeline.row"))
    }

    @Test func `an event's page links back to the timeline of its app and device`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        for event in fixture.hub.events(in: "main")
        where event.app != nil && event.device != nil {
            let page = await fixture.page("/events/\(event.id)", device: device)
            #expect(page.text.contains("href=\"/studio/mystica/timeline?device=\(device)\""))
        }
        let studio = await fixture.page("/studio/mystica", device: device)
        #expect(studio.text.contains("href=\"/studio/mystica/timeline\""))
    }
}
