import Console
import Support
import Testing
import Web

/// Where a browser comes to that enters a workspace.
@Suite(.timeLimit(.minutes(10))) struct EnteringTests {
    private func enter(_ workspace: String, _ house: WholeHouse, cookie: String? = nil) async
        -> [String]
    {
        var headers: Headers = [
            "Host": "127.0.0.1:7070", "Authorization": "Bearer \(WholeHouse.key)",
        ]
        headers["Cookie"] = cookie
        let response = await house.site.responder(
            Request(method: .post, target: "/workspaces/\(workspace)/enter", headers: headers))
        #expect(response.status == 303)
        return response.headers.all("Set-Cookie")
    }

    @Test func `entering a workspace leads to the phone that is there`() async throws {
        let house = try await WholeHouse()
        let lease = await house.ask(.post, "/api/workspaces").json
        let id = try #require(lease["id"]?.string)
        let device = try #require(lease["device"]?.string)
        let name = "foyer_device_7070_\(id)"
        let cookies = await enter(id, house)
        #expect(cookies.contains { $0.hasPrefix("\(name)=\(device);") })
        // One that has a phone there keeps it.
        let mine = await house.ask(.post, "/api/devices", headers: [("X-Foyer-Workspace", id)])
        let own = try #require(mine.json["id"]?.string)
        for held in [device, own] {
            let kept = await enter(id, house, cookie: "\(name)=\(held)")
            #expect(!kept.contains { $0.hasPrefix(name) })
        }
    }

    @Test func `a workspace without a phone gives none`() async throws {
        let house = try await WholeHouse()
        let cookies = await enter("main", house)
        #expect(!cookies.contains { $0.hasPrefix("foyer_device") })
    }
}
