import Support
import Testing
import Web

@testable import Console

/// Looking changes nothing: the console's pages show an app and leave it as it is.
@Suite(.timeLimit(.minutes(10))) struct ObserverTests {
    @Test(arguments: ["mystica", "mystica-instant", "bob", "wall", "socoto", "clarity"])
    func `a screen has the same bytes after every page that shows its device`(app: String)
        async throws
    {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        let launched = await fixture.ask(.post, "/api/devices/\(device)/apps/\(app)/relaunch").json
        let screen = try #require(launched["screen"]?.string)
        let address = "/apps/\(app)/\(screen)"
        let alone = await fixture.page(address, device: device)
        #expect(alone.status == 200)
        #expect(alone.text.contains("data-screen=\"\(screen)\""))
        let calls = await fixture.ask(.get, "/api/exchanges").json["total"]
        for page in ["/studio/\(app)", "/sessions", "/traffic", "/mailbox", "/conditions"] {
            await fixture.shown(page, device: device)
        }
        #expect(await fixture.page(address, device: device).text == alone.text)
        #expect(await fixture.ask(.get, "/api/exchanges").json["total"] == calls)
    }
}
