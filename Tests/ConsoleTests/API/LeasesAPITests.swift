import Backend
import Console
import FoundationEssentials
import Simulator
import Support
import Testing
import Traffic
import Web

@Suite(.timeLimit(.minutes(10))) struct LeasesAPITests {
    @Test func `one call gives a world with a device and its cookies`() async throws {
        let fixture = try await FoyerFixture()
        let answer = await fixture.ask(.post, "/api/workspaces", json: ["label": "one", "ttl": 60])
        #expect(answer.status == 201)
        let id = try #require(answer.json["id"]?.string)
        let device = try #require(answer.json["device"]?.string)
        #expect(answer.json["expiresAt"]?.string == (fixture.frozen.now + 60).iso8601)
        #expect(
            answer.json["backendBase"]?["mystica"]?.string == "http://127.0.0.1:7071/\(id)/mystica")
        #expect(
            answer.json["backendBase"]?["mystica-instant"]?.string
                == "http://127.0.0.1:7071/\(id)/mystica")
        let cookies = answer.json["storageState"]?["cookies"]
        #expect(cookies?[0]?["name"]?.string == "foyer_key_7070")
        #expect(cookies?[1]?["value"]?.string == id)
        #expect(cookies?[2]?["value"]?.string == device)
        #expect(cookies?[2]?["domain"]?.string == "127.0.0.1")
    }

    @Test func `its cookies open pages without the key`() async throws {
        let fixture = try await FoyerFixture()
        let lease = await fixture.ask(.post, "/api/workspaces").json
        let cookie = Self.cookie(lease)
        let page = await fixture.site.responder(
            Request(
                method: .get, target: "/sessions",
                headers: ["Host": "127.0.0.1:7070", "Cookie": cookie, "Accept": "text/html"]))
        #expect(page.status == 200)
        guard case .bytes(let bytes) = page.body else {
            Issue.record("a page has bytes")
            return
        }
        let id = try #require(lease["id"]?.string)
        #expect(String(decoding: bytes, as: UTF8.self).contains(id))
    }

    @Test func `what happens in one is not seen in another`() async throws {
        let fixture = try await FoyerFixture()
        let one = try await fixture.leased()
        let other = try await fixture.leased()
        let device = try #require(one.json["device"]?.string)
        await fixture.succeed(
            .post, "/api/devices", json: ["label": "mine"], headers: [("X-Foyer-Workspace", one.id)]
        )
        let mine = await fixture.ask(.get, "/api/devices", headers: [("X-Foyer-Workspace", one.id)])
        let theirs = await fixture.ask(
            .get, "/api/devices/\(device)", headers: [("X-Foyer-Workspace", other.id)])
        #expect(mine.json["total"] == 2)
        #expect(theirs.status == 404)
    }

    @Test func `a call that outlives its lease leaves nothing behind`() async throws {
        let latch = Latch()
        let fixture = try await FoyerFixture(reach: { _ in
            await latch.wait()
            return .responded(UpstreamResponse(status: 401))
        })
        let lease = try await fixture.leased()
        let device = try #require(lease.json["device"]?.string)
        async let played = fixture.simulator.runAction(
            AppInstance(workspace: lease.id, device: device, app: "mystica"), screen: "login",
            action: "submit", form: ["email": "nora@example.com", "password": "correct horse"])
        while latch.waiting == 0 { await Task.yield() }
        #expect(await fixture.ask(.delete, "/api/workspaces/\(lease.id)").status == 204)
        latch.open()
        _ = try? await played
        #expect(try await fixture.exchanges.workspaces().isEmpty)
    }

    @Test func `a lease that ends takes everything along`() async throws {
        let fixture = try await FoyerFixture()
        let keeper = Task { await fixture.site.runLeaseExpiry() }
        defer { keeper.cancel() }
        let lease = try await fixture.leased(["ttl": 60])
        // Not the sleep from before there was a lease.
        #expect(await eventually { fixture.frozen.wakes(in: 59...60) })
        fixture.frozen.advance(by: 61)
        #expect(await eventually { !fixture.simulator.hasWorkspace(lease.id) })
        let answer = await fixture.ask(
            .get, "/api/devices", headers: [("X-Foyer-Workspace", lease.id)])
        #expect(answer.status == 404)
        #expect(answer.json["type"]?.string == "/problems/unknown-workspace")
        let backend = await fixture.backend.responder(
            Request(
                method: .get, target: "/\(lease.id)/mystica/api/v1/health",
                headers: ["Host": "127.0.0.1:7071"]))
        #expect(backend.status == 404)
    }

    @Test func `a lease is compared with the clock every minute`() async throws {
        let fixture = try await FoyerFixture()
        let keeper = Task { await fixture.site.runLeaseExpiry() }
        defer { keeper.cancel() }
        let lease = try await fixture.leased(["ttl": 3_600])
        // Until its end the clock may be moved back and forth.
        #expect(await eventually { fixture.frozen.wakes(in: 59...60) })
        fixture.frozen.advance(by: 3_601)
        #expect(await eventually { !fixture.simulator.hasWorkspace(lease.id) })
    }

    @Test func `a lease that was prolonged ends later`() async throws {
        let fixture = try await FoyerFixture()
        let keeper = Task { await fixture.site.runLeaseExpiry() }
        defer { keeper.cancel() }
        let lease = try await fixture.leased(["ttl": 60])
        let other = try await fixture.leased(["ttl": 60])
        await fixture.succeed(.patch, "/api/workspaces/\(lease.id)", json: ["ttl": 600])
        // Not the sleep from before there was a lease.
        #expect(await eventually { fixture.frozen.wakes(in: 59...60) })
        fixture.frozen.advance(by: 61)
        #expect(await eventually { !fixture.simulator.hasWorkspace(other.id) })
        #expect(fixture.simulator.hasWorkspace(lease.id))
    }

    @Test func `what somebody wished for ends with it`() async throws {
        let fixture = try await FoyerFixture()
        let lease = try await fixture.leased([
            "seed": ["app": "mystica", "state": "signedIn", "accessTokenTTL": 60]
        ])
        let header = [("X-Foyer-Workspace", lease.id)]
        await fixture.succeed(.post, "/api/conditions", json: ["kind": "offline"], headers: header)
        let ended = await fixture.ask(.delete, "/api/workspaces/\(lease.id)")
        #expect(ended.status == 204)
        // Made anew under the same name, it remembers nothing.
        try await fixture.backend.create(workspace: lease.id)
        var query = AccountQuery(workspace: lease.id)
        query.limit = 10
        #expect(try await fixture.backend.accounts(query).total == 0)
        let left = try await fixture.exchanges.list(ExchangeQuery(workspace: lease.id))
        #expect(left.items.isEmpty)
    }

    @Test func `its clock is its own`() async throws {
        let fixture = try await FoyerFixture()
        let lease = try await fixture.leased()
        let header = [("X-Foyer-Workspace", lease.id)]
        await fixture.succeed(.patch, "/api/clock", json: ["advance": 900], headers: header)
        let mine = await fixture.ask(.get, "/api/clock", headers: header).json
        let main = await fixture.ask(.get, "/api/clock").json
        #expect(mine["now"]?.string == (fixture.frozen.now + 900).iso8601)
        #expect(main["now"]?.string == fixture.frozen.now.iso8601)
    }

    @Test(
        arguments: [
            (["ttl": 0], "/ttl"), (["ttl": "long"], "/ttl"),
            (["ttl": 1e9], "/ttl"), (["label": 5], "/label"),
            (["colour": "red"], "/colour"),
        ] as [(JSON, String)])
    func `what cannot be understood is told by field`(
        body: JSON, pointer: String
    ) async throws {
        let fixture = try await FoyerFixture()
        let answer = await fixture.ask(.post, "/api/workspaces", json: body)
        #expect(answer.status == 400)
        #expect(answer.json["errors"]?[0]?["pointer"]?.string == pointer)
    }

    @Test func `main is nobody's to end`() async throws {
        let fixture = try await FoyerFixture()
        let ended = await fixture.ask(.delete, "/api/workspaces/main")
        let leased = await fixture.ask(.patch, "/api/workspaces/main", json: ["ttl": 60])
        #expect(ended.status == 409)
        #expect(leased.status == 409)
    }

    @Test func `the list goes on page after page`() async throws {
        let fixture = try await FoyerFixture()
        for _ in 0..<3 { _ = try await fixture.leased() }
        let first = await fixture.ask(.get, "/api/workspaces?limit=2").json
        #expect(first["total"] == 4)
        let next = try #require(first["next"]?.string)
        let second = await fixture.ask(.get, "/api/workspaces?limit=2&after=\(next)").json
        #expect(second["items"]?[1]?["id"] == "main")
        #expect(second["next"] == .null)
    }

    private static func cookie(_ lease: JSON) -> String {
        guard case .array(let cookies)? = lease["storageState"]?["cookies"] else { return "" }
        return cookies.map { "\($0["name"]?.string ?? "")=\($0["value"]?.string ?? "")" }.joined(
            separator: "; ")
    }
}

extension FoyerFixture {
    /// A workspace of a test's own.
    func leased(_ body: JSON? = nil) async throws -> (id: String, json: JSON) {
        let json = await ask(.post, "/api/workspaces", json: body).json
        return (try #require(json["id"]?.string), json)
    }
}
