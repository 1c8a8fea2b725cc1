import Core
import Support
import Testing
import Web

/// The timeline as a page of its own.
@Suite(.timeLimit(.minutes(10))) struct TimelinePageTests {
    @Test func `each event leads to its page, the newest burst first`() async throws {
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

    @Test func `its bursts have headings and are no landmarks`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let page = await fixture.page("/studio/mystica/timeline", device: device)
        #expect(page.text.contains("<h2 class=\"block-head\">Register "))
        // Two of the same name within a second could not be told apart.
        #expect(!page.text.contains("aria-labelledby=\"burst-"))
    }

    @Test func `its list comes alone, and nothing else does`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let address = "/studio/mystica/timeline?part="
        let part = await fixture.page(address + "bursts", device: device)
        #expect(part.status == 200)
        #expect(part.text.contains("timeline.row"))
        #expect(!part.text.contains("<html"))
        let none = await fixture.page(address + "cellar", device: device)
        #expect(none.status == 404)
        let nobody = await fixture.page("/studio/nobody/timeline")
        #expect(nobody.status == 404)
    }

    @Test func `before the first start it says how something appears`() async throws {
        let fixture = try await FoyerFixture()
        let page = await fixture.page("/studio/mystica/timeline", device: await fixture.device())
        #expect(page.status == 200)
        #expect(page.text.contains("data-testid=\"empty\""))
        #expect(!page.text.contains("timeline.row"))
    }

    @Test func `an event's page leads back to its app's timeline`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        for event in fixture.hub.events(in: "main") where event.app != nil {
            let page = await fixture.page("/events/\(event.id)", device: device)
            #expect(page.text.contains("href=\"/studio/mystica/timeline\""))
        }
        let studio = await fixture.page("/studio/mystica", device: device)
        #expect(studio.text.contains("href=\"/studio/mystica/timeline\""))
    }
}
