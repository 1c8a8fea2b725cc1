import Apps
import Simulator
import Support
import Testing
import Web

/// The transition map: which transitions were observed, and which a test run did not visit.
@Suite(.timeLimit(.minutes(10))) struct TransitionMapPagesTests {
    /// Leases a workspace for a test run and navigates from the login to the registration.
    private func startTestRun(_ fixture: FoyerFixture, run: String) async throws {
        let lease = await fixture.ask(.post, "/api/workspaces", json: ["run": .string(run)])
        let instance = AppInstance(
            workspace: try #require(lease.json["id"]?.string),
            device: try #require(lease.json["device"]?.string), app: "mystica")
        _ = try await fixture.simulator.launch(instance)
        _ = try await fixture.simulator.openScreen(instance, screen: "register")
    }

    private func transition(_ from: String, _ to: String, _ json: JSON) throws -> JSON {
        guard case .array(let transitions)? = json["transitions"] else { return .null }
        return try #require(
            transitions.first { $0["from"]?.string == from && $0["to"]?.string == to })
    }

    @Test func `a test run's map shows visited and unvisited transitions`() async throws {
        let fixture = try await FoyerFixture()
        try await startTestRun(fixture, run: "nightly")
        let flow = await fixture.ask(.get, "/api/apps/mystica/map?run=last")
        #expect(flow.json["run"]?["name"]?.string == "nightly")
        #expect(flow.json["run"]?["workspaces"] == 1)
        let seen = try transition("login", "register", flow.json)
        #expect(seen["count"] == 1 && seen["labels"]?[0] == "Register")
        #expect(try transition("map", "settings", flow.json)["count"] == 0)
        let page = await fixture.page("/storyboard/mystica/map?run=last")
        #expect(page.text.contains("Not covered by nightly"))
        #expect(page.text.contains("3 of 6 screens, 2 of 14 transitions"))
        #expect(page.text.contains("data-testid=\"map.uncovered.settings\""))
        // One line for both directions; the reverse transition was not observed.
        #expect(page.text.contains("1 ⇄ 0</text>"))
        #expect(!page.text.contains("data-testid=\"map.uncovered.login\""))
    }

    @Test func `manual use and test runs are counted separately`() async throws {
        let fixture = try await FoyerFixture()
        try await startTestRun(fixture, run: "")
        let manual = await fixture.ask(.get, "/api/apps/mystica/map?run=manual")
        #expect(manual.json["run"] == .null)
        #expect(try transition("login", "register", manual.json)["count"] == 0)
        let all = await fixture.ask(.get, "/api/apps/mystica/map")
        #expect(try transition("login", "register", all.json)["count"] == 1)
    }

    @Test(arguments: ["mystica", "mystica-instant", "bob", "wall", "socoto", "clarity"])
    func `every transition of the manifest has a row, observed or not`(id: String) async throws {
        let fixture = try await FoyerFixture()
        let app = try #require(fixture.catalog.app(id))
        let page = await fixture.page("/storyboard/\(id)/map")
        #expect(page.status == 200)
        for edge in app.edges where edge.from != edge.to {
            #expect(page.text.contains("data-testid=\"map.transition.\(edge.from).\(edge.to)\""))
        }
    }

    @Test func `rendering a storyboard tile counts no visit`() async throws {
        let fixture = try await FoyerFixture()
        let tile = await fixture.page("/storyboard/mystica/login/default/frame")
        #expect(tile.text.contains("data-screen=\"login\""))
        let all = await fixture.ask(.get, "/api/apps/mystica/map")
        #expect(try transition("splash", "login", all.json)["count"] == 0)
    }

    @Test func `without a test run the page explains how to create one`() async throws {
        let fixture = try await FoyerFixture()
        let page = await fixture.page("/storyboard/mystica/map?run=last")
        #expect(page.status == 200)
        #expect(page.text.contains("No test run yet"))
        #expect(page.text.contains("api/workspaces"))
    }

    @Test(arguments: [
        ("/storyboard/nobody/map", 404, "nobody"),
        ("/storyboard/mystica/map?run=7", 404, "Unknown test run"),
        ("/storyboard/mystica/map?run=-1", 404, "Unknown test run"),
        ("/storyboard/mystica/map?sene=last", 400, "sene"),
        ("/storyboard/mystica/map?part=nothing", 404, "nothing"),
    ]) func `an invalid URL is rejected with its invalid part`(
        address: String, status: Int, message: String
    )
        async throws
    {
        let fixture = try await FoyerFixture()
        let page = await fixture.page(address)
        #expect(page.status == status)
        #expect(page.text.contains(message))
    }

    @Test func `transitions made by a seed do not count for its test run`() async throws {
        let fixture = try await FoyerFixture()
        let lease = await fixture.ask(
            .post, "/api/workspaces", json: ["seed": ["app": "mystica", "state": "signedIn"]])
        #expect(lease.status == 201)
        let number = try #require(lease.json["run"]?.int)
        let flow = await fixture.ask(.get, "/api/apps/mystica/map?run=\(number)")
        #expect(try transition("login", "map", flow.json)["count"] == 0)
        guard case .array(let screens)? = flow.json["screens"] else {
            Issue.record("screens are a list")
            return
        }
        let seen = screens.filter { $0["count"] != 0 }
        #expect(seen.map { $0["id"]?.string } == ["map"])
    }

    @Test func `a failed lease creates no test run`() async throws {
        let fixture = try await FoyerFixture()
        let lease = await fixture.ask(
            .post, "/api/workspaces", json: ["seed": ["app": "wall", "state": "locked"]])
        #expect(lease.json["errors"]?[0]?["pointer"] == "/seed/state")
        #expect(try await fixture.simulator.testRuns().isEmpty)
    }

    @Test func `visits of an earlier run do not count for a new one`() async throws {
        let fixture = try await FoyerFixture()
        try await startTestRun(fixture, run: "nightly")
        let lease = await fixture.ask(
            .post, "/api/workspaces", json: ["run": "nightly", "newRun": true])
        let number = try #require(lease.json["run"]?.int)
        for seen in ["last", String(number)] {
            let flow = await fixture.ask(.get, "/api/apps/mystica/map?run=\(seen)")
            #expect(flow.json["run"]?["number"] == .int(number))
            #expect(try transition("login", "register", flow.json)["count"] == 0)
        }
    }

    @Test(arguments: ["", " ", "\t "]) func `a blank run name counts as empty`(name: String)
        async throws
    {
        let fixture = try await FoyerFixture()
        await fixture.succeed(.post, "/api/workspaces", json: ["run": .string(name)])
        #expect(try await fixture.simulator.testRuns().map(\.name) == [""])
    }

    @Test func `a run's name cannot contain bidirectional control characters`() async throws {
        let fixture = try await FoyerFixture()
        let lease = await fixture.ask(.post, "/api/workspaces", json: ["run": "\u{202E}evil"])
        #expect(lease.status == 400)
        #expect(lease.json["errors"]?[0]?["pointer"] == "/run")
        #expect(try await fixture.simulator.testRuns().isEmpty)
    }

    @Test func `a run's name is limited in length`() async throws {
        let fixture = try await FoyerFixture()
        let name = String(repeating: "n", count: 81)
        let lease = await fixture.ask(.post, "/api/workspaces", json: ["run": .string(name)])
        #expect(lease.status == 400)
        #expect(lease.json["errors"]?[0]?["pointer"] == "/run")
        #expect(try await fixture.simulator.testRuns().isEmpty)
    }
}
