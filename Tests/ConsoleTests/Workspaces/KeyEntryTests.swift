import Console
import Support
import Testing
import Web

/// Where a browser comes to that enters a workspace.
@Suite(.timeLimit(.minutes(10))) struct KeyEntryTests {
    private func enter(_ workspace: String, _ fixture: FoyerFixture, cookie: String? = nil) async
        -> [String]
    {
        var headers: Headers = [
            "Host": "127.0.0.1:7070", "Authorization": "Bearer \(FoyerFixture.key)",
        ]
        headers["Cookie"] = cookie
        let response = await fixture.site.responder(
            Request(method: .post, target: "/workspaces/\(workspace)/enter", headers: headers))
        #expect(response.status == 303)
        return response.headers.all("Set-Cookie")
    }

    @Test func `entering a workspace leads to the phone that is there`() async throws {
        let fixture = try await FoyerFixture()
        let lease = await fixture.ask(.post, "/api/workspaces").json
        let id = try #require(lease["id"]?.string)
        let device = try #require(lease["device"]?.string)
        let name = "foyer_device_7070_\(id)"
        let cookies = await enter(id, fixture)
        #expect(cookies.contains { $0.hasPrefix("\(name)=\(device);") })
        // One that has a phone there keeps it.
        let mine = await fixture.ask(.post, "/api/devices", headers: [("X-Foyer-Workspace", id)])
        let own = try #require(mine.json["id"]?.string)
        for held in [device, own] {
            let kept = await enter(id, fixture, cookie: "\(name)=\(held)")
            #expect(!kept.contains { $0.hasPrefix(name) })
        }
    }

    @Test func `a workspace without a phone gives none`() async throws {
        let fixture = try await FoyerFixture()
        let cookies = await enter("main", fixture)
        #expect(!cookies.contains { $0.hasPrefix("foyer_device") })
    }
}
