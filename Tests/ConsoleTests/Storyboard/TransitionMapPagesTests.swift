import Apps
import Simulator
import Support
import Testing
import Web

/// The flow map: what was really seen, and what a test run did not visit.
@Suite(.timeLimit(.minutes(10))) struct TransitionMapPagesTests {
    /// A test's workspace in which the login was looked at and left.
    private func tested(_ fixture: FoyerFixture, run: String) async throws {
        let lease = await fixture.ask(.post, "/api/workspaces", json: ["run": .string(run)])
        let instance = AppInstance(
            workspace: try #require(lease.json["id"]?.string),
            device: try #require(lease.json["device"]?.string), app: "mystica")
        _ = try await fixture.simulator.launch(instance)
        _ = try await fixture.simulator.openScreen(instance, screen: "register")
    }

    private func way(_ from: String, _ to: String, _ json: JSON) throws -> JSON {
        guard case .array(let ways)? = json["ways"] else { return .null }
        return try #require(ways.first { $0["from"]?.string == from && $0["to"]?.string == to })
    }

    @Test func `a test run's map tells what it visited and what it did not`() async throws {
        let fixture = try await FoyerFixture()
        try await tested(fixture, run: "nightly")
        let flow = await fixture.ask(.get, "/api/apps/mystica/flow?seen=last")
        #expect(flow.json["run"]?["name"]?.string == "nightly")
        #expect(flow.json["run"]?["workspaces"] == 1)
        let seen = try way("login", "register", flow.json)
        #expect(seen["count"] == 1 && seen["labels"]?[0] == "Register")
        #expect(try way("map", "settings", flow.json)["count"] == 0)
        let page = await fixture.page("/storyboard/mystica/flow?seen=last")
        #expect(page.text.contains("Not visited by nightly"))
        #expect(page.text.contains("3 of 6 screens, 2 of 14 ways"))
        #expect(page.text.contains("data-testid=\"flow.unseen.settings\""))
        // One line for both: the way back was not taken.
        #expect(page.text.contains("1 ⇄ 0</text>"))
        #expect(!page.text.contains("data-testid=\"flow.unseen.login\""))
    }

    @Test func `by hand and in tests are told apart`() async throws {
        let fixture = try await FoyerFixture()
        try await tested(fixture, run: "")
        let hand = await fixture.ask(.get, "/api/apps/mystica/flow?seen=hand")
        #expect(hand.json["run"] == .null)
        #expect(try way("login", "register", hand.json)["count"] == 0)
        let all = await fixture.ask(.get, "/api/apps/mystica/flow")
        #expect(try way("login", "register", all.json)["count"] == 1)
    }

    @Test(arguments: ["mystica", "mystica-instant", "bob", "wall", "socoto", "clarity"])
    func `every way of the manifest has its row, seen or not`(id: String) async throws {
        let fixture = try await FoyerFixture()
        let app = try #require(fixture.catalogue.app(id))
        let page = await fixture.page("/storyboard/\(id)/flow")
        #expect(page.status == 200)
        for edge in app.edges where edge.from != edge.to {
            #expect(page.text.contains("data-testid=\"flow.way.\(edge.from).\(edge.to)\""))
        }
    }

    @Test func `looking at the storyboard is nobody's visit`() async throws {
        let fixture = try await FoyerFixture()
        let tile = await fixture.page("/storyboard/mystica/login/default/frame")
        #expect(tile.text.contains("data-screen=\"login\""))
        let all = await fixture.ask(.get, "/api/apps/mystica/flow")
        #expect(try way("splash", "login", all.json)["count"] == 0)
    }

    @Test func `without a test run the page says how to make one`() async throws {
        let fixture = try await FoyerFixture()
        let page = await fixture.page("/storyboard/mystica/flow?seen=last")
        #expect(page.status == 200)
        #expect(page.text.contains("No test run yet"))
        #expect(page.text.contains("api/workspaces"))
    }

    @Test(arguments: [
        ("/storyboard/nobody/flow", 404, "nobody"),
        ("/storyboard/mystica/flow?seen=7", 404, "No such test run"),
        ("/storyboard/mystica/flow?seen=-1", 404, "No such test run"),
        ("/storyboard/mystica/flow?sene=last", 400, "sene"),
        ("/storyboard/mystica/flow?part=nothing", 404, "nothing"),
    ]) func `a wrong address says what is wrong`(address: String, status: Int, words: String)
        async throws
    {
        let fixture = try await FoyerFixture()
        let page = await fixture.page(address)
        #expect(page.status == status)
        #expect(page.text.contains(words))
    }

    @Test func `what a seed plays is not the test's visit`() async throws {
        let fixture = try await FoyerFixture()
        let lease = await fixture.ask(
            .post, "/api/workspaces", json: ["seed": ["app": "mystica", "state": "signedIn"]])
        #expect(lease.status == 201)
        let number = try #require(lease.json["run"]?.int)
        let flow = await fixture.ask(.get, "/api/apps/mystica/flow?seen=\(number)")
        #expect(try way("login", "map", flow.json)["count"] == 0)
        guard case .array(let screens)? = flow.json["screens"] else {
            Issue.record("screens are a list")
            return
        }
        let seen = screens.filter { $0["count"] != 0 }
        #expect(seen.map { $0["id"]?.string } == ["map"])
    }

    @Test func `a lease that fails is no test run`() async throws {
        let fixture = try await FoyerFixture()
        let lease = await fixture.ask(
            .post, "/api/workspaces", json: ["seed": ["app": "wall", "state": "locked"]])
        #expect(lease.json["errors"]?[0]?["pointer"] == "/seed/state")
        #expect(try await fixture.simulator.testRuns().isEmpty)
    }

    @Test func `what an earlier run visited does not count for a new one`() async throws {
        let fixture = try await FoyerFixture()
        try await tested(fixture, run: "nightly")
        let lease = await fixture.ask(
            .post, "/api/workspaces", json: ["run": "nightly", "newRun": true])
        let number = try #require(lease.json["run"]?.int)
        for seen in ["last", String(number)] {
            let flow = await fixture.ask(.get, "/api/apps/mystica/flow?seen=\(seen)")
            #expect(flow.json["run"]?["number"] == .int(number))
            #expect(try way("login", "register", flow.json)["count"] == 0)
        }
    }

    @Test(arguments: ["", " ", "\t "]) func `a blank name is none`(name: String) async throws {
        let fixture = try await FoyerFixture()
        await fixture.succeed(.post, "/api/workspaces", json: ["run": .string(name)])
        #expect(try await fixture.simulator.testRuns().map(\.name) == [""])
    }

    @Test func `a run's name has no characters that turn a line round`() async throws {
        let fixture = try await FoyerFixture()
        let lease = await fixture.ask(.post, "/api/workspaces", json: ["run": "\u{202E}evil"])
        #expect(lease.status == 400)
        #expect(lease.json["errors"]?[0]?["pointer"] == "/run")
        #expect(try await fixture.simulator.testRuns().isEmpty)
    }

    @Test func `a run's name is short`() async throws {
        let fixture = try await FoyerFixture()
        let name = String(repeating: "n", count: 81)
        let lease = await fixture.ask(.post, "/api/workspaces", json: ["run": .string(name)])
        #expect(lease.status == 400)
        #expect(lease.json["errors"]?[0]?["pointer"] == "/run")
        #expect(try await fixture.simulator.testRuns().isEmpty)
    }
}
