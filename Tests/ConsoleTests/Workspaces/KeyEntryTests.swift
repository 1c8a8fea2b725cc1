import Console
import Support
import Testing
import Web

/// The device that a browser gets when it switches to a workspace.
@Suite(.timeLimit(.minutes(10))) struct KeyEntryTests {
    private func enter(_ workspace: String, _ fixture: FoyerFixture, cookie: String? = nil) async
        -> [String]
    {
        var headers: Headers = [
            "Host": "127.0.0.1:7070", "Authorization": "Bearer \(FoyerFixture.key)",
        ]
        headers["Cookie"] = cookie
        let response = await fixture.site.responder(
            Request(method: .post, target: "/workspaces/\(workspace)/switch", headers: headers))
        #expect(response.status == 303)
        return response.headers.all("Set-Cookie")
    }

    @Test func `switching to a workspace selects its device`() async throws {
        let fixture = try await FoyerFixture()
        let lease = await fixture.ask(.post, "/api/workspaces").json
        let id = try #require(lease["id"]?.string)
        let device = try #require(lease["device"]?.string)
        let name = "foyer_device_7070_\(id)"
        let cookies = await enter(id, fixture)
        #expect(cookies.contains { $0.hasPrefix("\(name)=\(device);") })
        // A browser that already has a device there keeps it.
        let created = await fixture.ask(.post, "/api/devices", headers: [("X-Foyer-Workspace", id)])
        let ownDevice = try #require(created.json["id"]?.string)
        for current in [device, ownDevice] {
            let setCookies = await enter(id, fixture, cookie: "\(name)=\(current)")
            #expect(!setCookies.contains { $0.hasPrefix(name) })
        }
    }

    @Test func `of several devices, switching selects the one that was used last`() async throws {
        let fixture = try await FoyerFixture()
        let lease = await fixture.ask(.post, "/api/workspaces").json
        let id = try #require(lease["id"]?.string)
        let device = try #require(lease["device"]?.string)
        _ = await fixture.ask(.post, "/api/devices", headers: [("X-Foyer-Workspace", id)])
        _ = await fixture.page("/apps/mystica/login", device: device, workspace: id)
        let cookies = await enter(id, fixture)
        #expect(cookies.contains { $0.hasPrefix("foyer_device_7070_\(id)=\(device);") })
    }

    @Test func `switching to a workspace without a device selects none`() async throws {
        let fixture = try await FoyerFixture()
        let cookies = await enter("main", fixture)
        #expect(!cookies.contains { $0.hasPrefix("foyer_device") })
    }

    @Test func `in a browser whose workspace expired, pages say so and Home moves to main`()
        async throws
    {
        let fixture = try await FoyerFixture()
        func open(_ path: String) async -> Response {
            await fixture.site.responder(
                Request(
                    method: .get, target: path,
                    headers: [
                        "Host": "127.0.0.1:7070", "Authorization": "Bearer \(FoyerFixture.key)",
                        "Cookie": "foyer_workspace_7070=ws_gone", "Accept": "text/html",
                    ]))
        }
        let page = await open("/traffic")
        #expect(page.status == 404)
        #expect(page.text.contains("Workspace expired"))
        #expect(page.text.contains("Go to main"))
        #expect(!page.text.contains("X-Foyer-Workspace"))
        let home = await open("/")
        #expect(home.status == 200)
        #expect(
            home.headers.all("Set-Cookie").contains {
                $0.hasPrefix("foyer_workspace_7070=main;") && $0.contains("Max-Age=0")
            })
    }
}
