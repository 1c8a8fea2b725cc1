import Support
import Testing
import Web

@testable import Console

/// Viewing changes nothing: the console's pages show an app without changing its state.
@Suite(.timeLimit(.minutes(10))) struct ObserverTests {
    @Test(arguments: ["mystica", "mystica-instant", "bob", "wall", "socoto", "clarity"])
    func `viewing console pages does not change the bytes of a screen`(app: String)
        async throws
    {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        let launched = await fixture.ask(.post, "/api/devices/\(device)/apps/\(app)/relaunch").json
        let screen = try #require(launched["screen"]?.string)
        let address = "/apps/\(app)/\(screen)"
        let before = await fixture.page(address, device: device)
        #expect(before.status == 200)
        #expect(before.text.contains("data-screen=\"\(screen)\""))
        let calls = await fixture.ask(.get, "/api/exchanges").json["total"]
        for page in ["/studio/\(app)", "/sessions", "/traffic", "/mailbox", "/faults"] {
            await fixture.expectPage(page, device: device)
        }
        #expect(await fixture.page(address, device: device).text == before.text)
        #expect(await fixture.ask(.get, "/api/exchanges").json["total"] == calls)
    }
}
