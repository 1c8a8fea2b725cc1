import Backend
import Console
import Simulator
import Support
import Testing
import Web

@Suite struct HomePagesTests {
    @Test func `a look with the key alone makes no device`() async throws {
        let house = try await WholeHouse()
        let page = await house.page("/")
        #expect(page.status == 200)
        #expect(page.text.contains("Two apps, one workspace"))
        #expect(page.text.contains("not started"))
        #expect(page.headers["Set-Cookie"] == nil)
        #expect(try await house.simulator.devices(
            in: "main", before: nil, limit: 1).total == 0)
    }

    @Test(arguments: ["/", "/sessions", "/traffic", "/mailbox"])
    func `the first page a browser opens gives it its device`(
        first: String
    ) async throws {
        let house = try await WholeHouse()
        let entry = await house.browse(first + "?key=\(WholeHouse.key)")
        let session = try #require(entry["Set-Cookie"]?.cookie)
        let page = await house.browse(first, cookies: session)
        let device = try #require(page["Set-Cookie"]?.cookie)
        #expect(device.hasPrefix("foyer_device_7070="))
        let current = await house.ask(
            .get, "/api/devices/current", headers: [("Cookie", device)])
        #expect(current.status == 200)
        let again = await house.browse(
            first, cookies: "\(session); \(device)")
        #expect(again["Set-Cookie"] == nil)
        let part = await house.browse(
            first + "?part=places", cookies: session)
        #expect(part["Set-Cookie"] == nil)
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
}

extension WholeHouse {
    /// The headers a browser is answered with at its first visit to `target`.
    fileprivate func browse(
        _ target: String, cookies: String? = nil
    ) async -> Headers {
        var headers: Headers = [
            "Host": "127.0.0.1:7070", "Accept": "text/html",
            "Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate",
            "Sec-Fetch-Dest": "document", "Sec-Fetch-User": "?1",
        ]
        if let cookies { headers["Cookie"] = cookies }
        return await site.responder(
            Request(method: .get, target: target, headers: headers)
        ).headers
    }
}

extension String {
    /// The name and value of a `Set-Cookie`.
    fileprivate var cookie: String {
        String(split(separator: ";").first ?? "")
    }
}
