import Backend
import Console
import Core
import FoundationEssentials
import Simulator
import Support
import Testing
import Traffic
import Web
import Workspaces

@Suite(.timeLimit(.minutes(10))) struct LeasesAPITests {
    @Test func `one request creates a workspace with a device and its cookies`() async throws {
        let fixture = try await FoyerFixture()
        let response = await fixture.ask(
            .post, "/api/workspaces", json: ["label": "one", "ttl": 60])
        #expect(response.status == 201)
        let id = try #require(response.json["id"]?.string)
        let device = try #require(response.json["device"]?.string)
        #expect(response.json["expiresAt"]?.string == (fixture.frozen.now + 60).iso8601)
        #expect(
            response.json["backendBase"]?["mystica"]?.string
                == "http://127.0.0.1:7071/\(id)/mystica")
        #expect(
            response.json["backendBase"]?["mystica-instant"]?.string
                == "http://127.0.0.1:7071/\(id)/mystica")
        let cookies = response.json["storageState"]?["cookies"]
        #expect(cookies?[0]?["name"]?.string == "foyer_key_7070")
        #expect(cookies?[1]?["value"]?.string == id)
        #expect(cookies?[2]?["value"]?.string == device)
        #expect(cookies?[2]?["domain"]?.string == "127.0.0.1")
    }

    @Test func `the cookies of a lease open pages without the key`() async throws {
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

    @Test func `a workspace does not see the devices of another`() async throws {
        let fixture = try await FoyerFixture()
        let one = try await fixture.leaseWorkspace()
        let other = try await fixture.leaseWorkspace()
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

    @Test func `a call that outlives its lease records no exchange`() async throws {
        let latch = Latch()
        let fixture = try await FoyerFixture(upstream: { _ in
            await latch.wait()
            return .responded(UpstreamResponse(status: 401))
        })
        let lease = try await fixture.leaseWorkspace()
        let device = try #require(lease.json["device"]?.string)
        async let result = fixture.simulator.runAction(
            AppInstance(workspace: lease.id, device: device, app: "mystica"), screen: "login",
            action: "submit", form: ["email": "nora@example.com", "password": "correct horse"])
        while latch.waiting == 0 { await Task.yield() }
        #expect(await fixture.ask(.delete, "/api/workspaces/\(lease.id)").status == 204)
        latch.open()
        _ = try? await result
        #expect(try await fixture.exchanges.workspaces().isEmpty)
    }

    @Test func `an expired lease removes its workspace everywhere`() async throws {
        let fixture = try await FoyerFixture()
        let expiryTask = Task { await fixture.leases.runExpiry() }
        defer { expiryTask.cancel() }
        let lease = try await fixture.leaseWorkspace(["ttl": 60])
        // Not the sleep that began before the lease existed.
        #expect(await eventually { fixture.frozen.wakes(in: 59...60) })
        fixture.frozen.advance(by: 61)
        #expect(await eventually { !fixture.simulator.hasWorkspace(lease.id) })
        let response = await fixture.ask(
            .get, "/api/devices", headers: [("X-Foyer-Workspace", lease.id)])
        #expect(response.status == 404)
        #expect(response.json["type"]?.string == "/problems/unknown-workspace")
        let request = Request(
            method: .get, target: "/\(lease.id)/mystica/api/v1/health",
            headers: ["Host": "127.0.0.1:7071"])
        #expect(await eventually { await fixture.backend.responder(request).status == 404 })
    }

    @Test func `leases are checked against the clock every minute`() async throws {
        let fixture = try await FoyerFixture()
        let expiryTask = Task { await fixture.leases.runExpiry() }
        defer { expiryTask.cancel() }
        let lease = try await fixture.leaseWorkspace(["ttl": 3_600])
        // The clock may be moved before the lease ends, so the task cannot sleep until then.
        #expect(await eventually { fixture.frozen.wakes(in: 59...60) })
        fixture.frozen.advance(by: 3_601)
        #expect(await eventually { !fixture.simulator.hasWorkspace(lease.id) })
    }

    @Test func `an extended lease ends later`() async throws {
        let fixture = try await FoyerFixture()
        let expiryTask = Task { await fixture.leases.runExpiry() }
        defer { expiryTask.cancel() }
        let lease = try await fixture.leaseWorkspace(["ttl": 60])
        let other = try await fixture.leaseWorkspace(["ttl": 60])
        await fixture.succeed(.patch, "/api/workspaces/\(lease.id)", json: ["ttl": 600])
        // Not the sleep that began before the lease existed.
        #expect(await eventually { fixture.frozen.wakes(in: 59...60) })
        fixture.frozen.advance(by: 61)
        #expect(await eventually { !fixture.simulator.hasWorkspace(other.id) })
        #expect(fixture.simulator.hasWorkspace(lease.id))
    }

    @Test func `deleting a workspace deletes its accounts and exchanges`() async throws {
        let fixture = try await FoyerFixture()
        let lease = try await fixture.leaseWorkspace([
            "seed": ["app": "mystica", "state": "signedIn", "accessTokenTTL": 60]
        ])
        let header = [("X-Foyer-Workspace", lease.id)]
        await fixture.succeed(.post, "/api/faults", json: ["kind": "offline"], headers: header)
        let ended = await fixture.ask(.delete, "/api/workspaces/\(lease.id)")
        #expect(ended.status == 204)
        // A new workspace with the same id is empty.
        try await fixture.backend.create(workspace: lease.id)
        var query = AccountQuery(workspace: lease.id)
        query.keyset.limit = 10
        #expect(try await fixture.backend.accounts(query).page.total == 0)
        let exchanges = try await fixture.exchanges.list(ExchangeQuery(workspace: lease.id))
        #expect(exchanges.items.isEmpty)
    }

    @Test func `every workspace has its own clock`() async throws {
        let fixture = try await FoyerFixture()
        let lease = try await fixture.leaseWorkspace()
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
    func `an invalid field is named`(
        body: JSON, pointer: String
    ) async throws {
        let fixture = try await FoyerFixture()
        let response = await fixture.ask(.post, "/api/workspaces", json: body)
        #expect(response.status == 400)
        #expect(response.json["errors"]?[0]?["pointer"]?.string == pointer)
    }

    @Test func `the main workspace can be neither deleted nor leased`() async throws {
        let fixture = try await FoyerFixture()
        let ended = await fixture.ask(.delete, "/api/workspaces/main")
        let leased = await fixture.ask(.patch, "/api/workspaces/main", json: ["ttl": 60])
        #expect(ended.status == 409)
        #expect(leased.status == 409)
    }

    @Test func `the list of workspaces is paged`() async throws {
        let fixture = try await FoyerFixture()
        for _ in 0..<3 { _ = try await fixture.leaseWorkspace() }
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
    /// Leases a workspace.
    func leaseWorkspace(_ body: JSON? = nil) async throws -> (id: String, json: JSON) {
        let json = await ask(.post, "/api/workspaces", json: body).json
        return (try #require(json["id"]?.string), json)
    }
}
