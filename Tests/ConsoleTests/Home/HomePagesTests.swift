import Apps
import Backend
import Simulator
import Support
import Testing
import Web

@Suite(.timeLimit(.minutes(10))) struct HomePagesTests {
    @Test func `a look at the home page makes no device`() async throws {
        let house = try await WholeHouse()
        let page = await house.page("/")
        #expect(page.status == 200)
        #expect(page.text.contains("Six apps, one workspace"))
        #expect(page.text.contains("not started"))
        #expect(try await house.simulator.devices(in: "main", before: nil, limit: 1).total == 0)
    }

    @Test func `a card says where the app stands on this device`() async throws {
        let house = try await WholeHouse()
        let device = try await house.registered()
        let apps = await house.page("/?part=apps", device: device)
        #expect(apps.text.contains("on map, nora@example.com"))
        #expect(!apps.text.contains("<html"))
        let other = await house.page("/?part=apps")
        #expect(!other.text.contains("nora@example.com"))
    }

    @Test func `every page counts what its places keep`() async throws {
        let house = try await WholeHouse()
        let empty = await house.page("/?part=places")
        #expect(!empty.text.contains("place-count"))
        _ = try await house.registered()
        _ = try await house.backend.mailbox.forget(workspace: "main")
        _ = try await house.registered("zoe@example.com")
        for page in ["/", "/sessions", "/traffic", "/mailbox"] {
            let places = await house.page(page + "?part=places")
            #expect(places.text.contains("nav.sessions.count\">2<"), "\(page)")
            #expect(places.text.contains("nav.mailbox.count\">1<"), "\(page)")
        }
    }

    @Test func `an app brings its own cover`() async throws {
        let house = try await WholeHouse()
        let page = await house.page("/?part=apps")
        let address = "/assets/apps/mystica/cover.svg"
        #expect(page.text.contains(address))
        #expect(await house.page(address).status == 200)
    }

    @Test func `the cover of an app that follows the system follows it too`() async throws {
        let house = try await WholeHouse()
        var followers = 0
        for case .app(let app) in house.catalogue.entries() where app.appearance == .system {
            followers += 1
            let address = "/assets/apps/\(app.id)/cover"
            let dark = await house.page(address + "-dark.svg").status == 200
            let cover = await house.page(address + ".svg").text
            #expect(dark || cover.contains("prefers-color-scheme: dark"), "\(app.id)")
        }
        #expect(followers > 0)
    }
}
