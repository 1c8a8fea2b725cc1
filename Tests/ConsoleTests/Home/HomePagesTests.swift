import Apps
import Backend
import Simulator
import Support
import Testing
import Web

@Suite(.timeLimit(.minutes(10))) struct HomePagesTests {
    @Test func `a look at the home page makes no device`() async throws {
        let fixture = try await FoyerFixture()
        let page = await fixture.page("/")
        #expect(page.status == 200)
        #expect(page.text.contains("Six apps, one workspace"))
        #expect(page.text.contains("not started"))
        #expect(try await fixture.simulator.devices(in: "main", before: nil, limit: 1).total == 0)
    }

    @Test func `a card says where the app stands on this device`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let apps = await fixture.page("/?part=apps", device: device)
        #expect(apps.text.contains("on map, nora@example.com"))
        #expect(!apps.text.contains("<html"))
        let other = await fixture.page("/?part=apps")
        #expect(!other.text.contains("nora@example.com"))
    }

    @Test func `every page counts what its places keep`() async throws {
        let fixture = try await FoyerFixture()
        let empty = await fixture.page("/?part=places")
        #expect(!empty.text.contains("place-count"))
        _ = try await fixture.registered()
        _ = try await fixture.backend.mailbox.clear(workspace: "main")
        _ = try await fixture.registered("zoe@example.com")
        for page in ["/", "/sessions", "/traffic", "/mailbox"] {
            let places = await fixture.page(page + "?part=places")
            #expect(places.text.contains("nav.sessions.count\">2<"), "\(page)")
            #expect(places.text.contains("nav.mailbox.count\">1<"), "\(page)")
        }
    }

    @Test func `an app brings its own cover`() async throws {
        let fixture = try await FoyerFixture()
        let page = await fixture.page("/?part=apps")
        let address = "/assets/apps/mystica/cover.svg"
        #expect(page.text.contains(address))
        #expect(await fixture.page(address).status == 200)
    }

    @Test func `the cover of an app that follows the system follows it too`() async throws {
        let fixture = try await FoyerFixture()
        var followers = 0
        for case .app(let app) in fixture.catalogue.entries() where app.appearance == .system {
            followers += 1
            let address = "/assets/apps/\(app.id)/cover"
            let dark = await fixture.page(address + "-dark.svg").status == 200
            let cover = await fixture.page(address + ".svg").text
            #expect(dark || cover.contains("prefers-color-scheme: dark"), "\(app.id)")
        }
        #expect(followers > 0)
    }
}
