import Core
import FoundationEssentials
import Support
import Testing

@testable import Simulator

/// Which transitions between screens are counted, and in which test run.
@Suite(.timeLimit(.minutes(10))) struct FlowTests {
    /// An app on a new device in a new workspace, which belongs to the test run of this name; to
    /// none if nil.
    private func phone(_ fixture: SimulatorFixture, run: String?, isNew: Bool = false) async throws
        -> Phone
    {
        let workspace = try await fixture.simulator.makeWorkspace(
            label: "", lease: .seconds(600), for: .playback)
        let device = try await fixture.simulator.makeDevice(in: workspace.id)
        if let run {
            _ = try await fixture.simulator.assignWorkspace(
                workspace.id, toTestRun: run, startsNewRun: isNew, currentInstance: nil)
        }
        return Phone(
            fixture: fixture,
            instance: AppInstance(workspace: workspace.id, device: device.id, app: "mystica"))
    }

    /// The counted transitions from one screen to another: `from>to count`.
    private func transitions(_ fixture: SimulatorFixture, _ scope: TransitionScope) async throws
        -> [String]
    {
        try await fixture.simulator.transitions(of: "mystica", scope).filter { !$0.from.isEmpty }
            .map {
                "\($0.from)>\($0.to) \($0.count)"
            }
    }

    @Test func `every manual transition is counted`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone()
        _ = try await phone.launch()
        _ = try await phone.open("register")
        _ = try await phone.open("login")
        _ = try await phone.open("register")
        #expect(
            try await transitions(fixture, .manual) == [
                "login>register 2", "register>login 1", "splash>login 1",
            ])
        #expect(try await transitions(fixture, .all) == transitions(fixture, .manual))
    }

    @Test func `a first launch has no previous screen, a relaunch has one`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone()
        _ = try await phone.launch()
        let first = try await fixture.simulator.transitions(of: "mystica", .manual)
        #expect(first.contains(Transition(from: "", to: "splash", count: 1)))
        try await fixture.simulator.relaunch(phone.instance, isKill: true)
        _ = try await phone.launch()
        #expect(try await transitions(fixture, .manual) == ["login>splash 1", "splash>login 2"])
    }

    @Test func `transitions of Foyer's own playback are not counted`() async throws {
        let fixture = try await SimulatorFixture()
        _ = try await phone(fixture, run: nil).launch()
        #expect(try await transitions(fixture, .all).isEmpty)
        #expect(try await fixture.simulator.testRuns().isEmpty)
    }

    @Test func `restoring a state counts no transition`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        let shown = fixture.events(.screenShown)
        let login = try #require(shown.last { $0.subject == "login" })
        let map = try #require(shown.last { $0.subject == "map" })
        _ = try await phone.simulator.restoreState(at: login)
        let before = try await transitions(fixture, .manual)
        _ = try await phone.simulator.restoreState(at: map)
        #expect(try await phone.screen == "map")
        #expect(try await transitions(fixture, .manual) == before)
    }

    @Test func `leases less than a minute apart are one test run`() async throws {
        let fixture = try await SimulatorFixture()
        _ = try await phone(fixture, run: "").launch()
        fixture.frozen.advance(by: 59)
        _ = try await phone(fixture, run: "").launch()
        fixture.frozen.advance(by: 61)
        _ = try await phone(fixture, run: "").launch()
        let runs = try await fixture.simulator.testRuns()
        #expect(runs.map(\.number) == [2, 1])
        #expect(runs.map(\.workspaceCount) == [1, 2])
        #expect(try await transitions(fixture, .run(1)) == ["splash>login 2"])
        #expect(try await transitions(fixture, .run(2)) == ["splash>login 1"])
        #expect(try await transitions(fixture, .manual).isEmpty)
        #expect(try await transitions(fixture, .all) == ["splash>login 3"])
    }

    @Test func `showing a screen keeps a test run active`() async throws {
        let fixture = try await SimulatorFixture()
        let long = try await phone(fixture, run: "")
        fixture.frozen.advance(by: 50)
        _ = try await long.launch()
        fixture.frozen.advance(by: 50)
        _ = try await phone(fixture, run: "")
        #expect(try await fixture.simulator.testRuns().map(\.workspaceCount) == [2])
    }

    @Test func `leases of one name are one run, even with others between them`() async throws {
        let fixture = try await SimulatorFixture()
        for name in ["nightly", "", "nightly", ""] {
            _ = try await phone(fixture, run: name).launch()
        }
        let runs = try await fixture.simulator.testRuns()
        #expect(Set(runs.map(\.name)) == ["", "nightly"])
        #expect(runs.map(\.workspaceCount) == [2, 2])
    }

    @Test func `the most recently active test run is listed first`() async throws {
        let fixture = try await SimulatorFixture()
        _ = try await phone(fixture, run: "nightly")
        fixture.frozen.advance(by: 1)
        _ = try await phone(fixture, run: "mine")
        fixture.frozen.advance(by: 1)
        _ = try await phone(fixture, run: "nightly")
        #expect(try await fixture.simulator.testRuns().map(\.name) == ["nightly", "mine"])
    }

    @Test func `a name starts another run once all its workspaces have ended`() async throws {
        let fixture = try await SimulatorFixture()
        let first = try await phone(fixture, run: "nightly")
        _ = try await first.launch()
        try await fixture.simulator.deleteWorkspace(first.instance.workspace)
        fixture.frozen.advance(by: 61)
        _ = try await phone(fixture, run: "nightly")
        let runs = try await fixture.simulator.testRuns()
        #expect(runs.map(\.workspaceCount) == [1, 1])
        #expect(try await transitions(fixture, .run(runs[0].number)).isEmpty)
    }

    @Test func `a name continues its run while one of its workspaces is open`() async throws {
        let fixture = try await SimulatorFixture()
        let first = try await phone(fixture, run: "nightly")
        fixture.frozen.advance(by: 500)
        let second = try await phone(fixture, run: "nightly")
        try await fixture.simulator.deleteWorkspace(first.instance.workspace)
        try await fixture.simulator.deleteWorkspace(second.instance.workspace)
        // The next test leases within a minute after the end of the last one.
        fixture.frozen.advance(by: 59)
        _ = try await phone(fixture, run: "nightly")
        #expect(try await fixture.simulator.testRuns().map(\.workspaceCount) == [3])
        // A workspace that was left open counts until its lease expires.
        fixture.frozen.advance(by: 601)
        _ = try await phone(fixture, run: "nightly")
        #expect(try await fixture.simulator.testRuns().map(\.workspaceCount) == [1, 3])
    }

    @Test(arguments: ["nightly", ""])
    func `a run started as new contains nothing of the previous one`(name: String) async throws {
        let fixture = try await SimulatorFixture()
        let previous = try await phone(fixture, run: name)
        _ = try await previous.launch()
        _ = try await phone(fixture, run: name, isNew: true)
        _ = try await phone(fixture, run: name)
        // Later transitions of the first run are counted there.
        _ = try await previous.open("register")
        let runs = try await fixture.simulator.testRuns().sorted { $0.number < $1.number }
        #expect(runs.map(\.workspaceCount) == [1, 2])
        #expect(try await transitions(fixture, .run(runs[1].number)).isEmpty)
    }

    @Test func `transitions of a run that is no longer stored are not counted`() async throws {
        let fixture = try await SimulatorFixture()
        let old = try await phone(fixture, run: "old")
        for name in 1...TestRun.maxCount {
            fixture.frozen.advance(by: 1)
            _ = try await phone(fixture, run: "\(name)")
        }
        _ = try await old.launch()
        #expect(try await transitions(fixture, .all).isEmpty)
    }

    @Test func `a test's first screen is counted, but no transition before it`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await phone(fixture, run: nil)
        _ = try await phone.launch()
        _ = try await fixture.simulator.assignWorkspace(
            phone.instance.workspace, toTestRun: "x", currentInstance: phone.instance)
        let all = try await fixture.simulator.transitions(of: "mystica", .all)
        #expect(all == [Transition(from: "", to: "login", count: 1)])
    }

    @Test func `a run remains after its workspaces are deleted`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await phone(fixture, run: "")
        _ = try await phone.launch()
        try await fixture.simulator.deleteWorkspace(phone.instance.workspace)
        #expect(try await transitions(fixture, .run(1)) == ["splash>login 1"])
    }

    @Test func `only the most recent runs are stored`() async throws {
        let fixture = try await SimulatorFixture()
        for name in 0...TestRun.maxCount {
            fixture.frozen.advance(by: 1)
            _ = try await phone(fixture, run: "\(name)").launch()
        }
        let runs = try await fixture.simulator.testRuns()
        #expect(runs.count == TestRun.maxCount)
        #expect(runs.last?.name == "1")
        #expect(try await transitions(fixture, .run(1)).isEmpty)
        #expect(try await transitions(fixture, .all) == ["splash>login 20"])
    }

    @Test func `resetting the main workspace clears only manual transitions`() async throws {
        let fixture = try await SimulatorFixture()
        _ = try await fixture.phone().launch()
        _ = try await phone(fixture, run: "").launch()
        try await fixture.simulator.reset(workspace: Workspace.mainID)
        #expect(try await transitions(fixture, .all) == ["splash>login 1"])
    }
}
