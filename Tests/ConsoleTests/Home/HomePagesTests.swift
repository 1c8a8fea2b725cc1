import Simulator
import Support
import Testing
import Web

@Suite struct HomePagesTests {
    @Test func `a look at the home page makes no device`() async throws {
        let house = try await WholeHouse()
        let page = await house.page("/")
        #expect(page.status == 200)
        #expect(page.text.contains("Two apps, one workspace"))
        #expect(page.text.contains("not started"))
        #expect(page.headers["Set-Cookie"] == nil)
        #expect(try await house.simulator.devices(in: "main").isEmpty)
    }

    @Test func `a card says where the app stands on this device`()
        async throws
    {
        let house = try await WholeHouse()
        let device = try await house.registered()
        let apps = await house.page("/?part=apps", device: device)
        #expect(apps.text.contains("on map, nora@example.com"))
        #expect(!apps.text.contains("<html"))
        let other = await house.page("/?part=apps")
        #expect(!other.text.contains("nora@example.com"))
    }

    @Test func `an app brings its own cover`() async throws {
        let house = try await WholeHouse()
        let page = await house.page("/?part=apps")
        let address = "/assets/apps/mystica/cover.svg"
        #expect(page.text.contains(address))
        #expect(await house.page(address).status == 200)
    }
}
