import Core
import FoundationEssentials
import Support
import Testing

@testable import Simulator

/// Which ways between screens count as seen, and in whose run.
@Suite(.timeLimit(.minutes(10))) struct FlowTests {
    /// An app of a new device in a workspace of its own, of a test run of
    /// that name or of none.
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
            house: fixture,
            place: AppInstance(workspace: workspace.id, device: device.id, app: "mystica"))
    }

    /// Ways from one screen to another.
    private func taken(_ fixture: SimulatorFixture, _ scope: TransitionScope) async throws
        -> [String]
    {
        try await fixture.simulator.transitions(of: "mystica", scope).filter { !$0.from.isEmpty }
            .map {
                "\($0.from)>\($0.to) \($0.count)"
            }
    }

    @Test func `every way taken by hand is counted`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone()
        _ = try await phone.launch()
        _ = try await phone.open("register")
        _ = try await phone.open("login")
        _ = try await phone.open("register")
        #expect(
            try await taken(fixture, .manual) == [
                "login>register 2", "register>login 1", "splash>login 1",
            ])
        #expect(try await taken(fixture, .all) == taken(fixture, .manual))
    }

    @Test func `the first start comes from nowhere, a relaunch from somewhere`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone()
        _ = try await phone.launch()
        let first = try await fixture.simulator.transitions(of: "mystica", .manual)
        #expect(first.contains(Transition(from: "", to: "splash", count: 1)))
        try await fixture.simulator.relaunch(phone.place, isKill: true)
        _ = try await phone.launch()
        #expect(try await taken(fixture, .manual) == ["login>splash 1", "splash>login 2"])
    }

    @Test func `what Foyer plays by itself counts for nobody`() async throws {
        let fixture = try await SimulatorFixture()
        _ = try await phone(fixture, run: nil).launch()
        #expect(try await taken(fixture, .all).isEmpty)
        #expect(try await fixture.simulator.testRuns().isEmpty)
    }

    @Test func `what is put back was not taken again`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await fixture.phone().signedIn()
        let shown = fixture.events(.screenShown)
        let login = try #require(shown.last { $0.subject == "login" })
        let map = try #require(shown.last { $0.subject == "map" })
        _ = try await phone.simulator.restoreState(at: login)
        let before = try await taken(fixture, .manual)
        _ = try await phone.simulator.restoreState(at: map)
        #expect(try await phone.screen == "map")
        #expect(try await taken(fixture, .manual) == before)
    }

    @Test func `leases without a minute's pause are one test run`() async throws {
        let fixture = try await SimulatorFixture()
        _ = try await phone(fixture, run: "").launch()
        fixture.frozen.advance(by: 59)
        _ = try await phone(fixture, run: "").launch()
        fixture.frozen.advance(by: 61)
        _ = try await phone(fixture, run: "").launch()
        let runs = try await fixture.simulator.testRuns()
        #expect(runs.map(\.number) == [2, 1])
        #expect(runs.map(\.workspaceCount) == [1, 2])
        #expect(try await taken(fixture, .run(1)) == ["splash>login 2"])
        #expect(try await taken(fixture, .run(2)) == ["splash>login 1"])
        #expect(try await taken(fixture, .manual).isEmpty)
        #expect(try await taken(fixture, .all) == ["splash>login 3"])
    }

    @Test func `a long test keeps its run open while it shows screens`() async throws {
        let fixture = try await SimulatorFixture()
        let long = try await phone(fixture, run: "")
        fixture.frozen.advance(by: 50)
        _ = try await long.launch()
        fixture.frozen.advance(by: 50)
        _ = try await phone(fixture, run: "")
        #expect(try await fixture.simulator.testRuns().map(\.workspaceCount) == [2])
    }

    @Test func `leases of one name are one run, whatever comes between`() async throws {
        let fixture = try await SimulatorFixture()
        for name in ["nightly", "", "nightly", ""] {
            _ = try await phone(fixture, run: name).launch()
        }
        let runs = try await fixture.simulator.testRuns()
        #expect(Set(runs.map(\.name)) == ["", "nightly"])
        #expect(runs.map(\.workspaceCount) == [2, 2])
    }

    @Test func `the last run is the one in which something was done last`() async throws {
        let fixture = try await SimulatorFixture()
        _ = try await phone(fixture, run: "nightly")
        fixture.frozen.advance(by: 1)
        _ = try await phone(fixture, run: "mine")
        fixture.frozen.advance(by: 1)
        _ = try await phone(fixture, run: "nightly")
        #expect(try await fixture.simulator.testRuns().map(\.name) == ["nightly", "mine"])
    }

    @Test func `a name begins another run once all its workspaces ended`() async throws {
        let fixture = try await SimulatorFixture()
        let first = try await phone(fixture, run: "nightly")
        _ = try await first.launch()
        try await fixture.simulator.deleteWorkspace(first.place.workspace)
        fixture.frozen.advance(by: 61)
        _ = try await phone(fixture, run: "nightly")
        let runs = try await fixture.simulator.testRuns()
        #expect(runs.map(\.workspaceCount) == [1, 1])
        #expect(try await taken(fixture, .run(runs[0].number)).isEmpty)
    }

    @Test func `a name is the same run while a workspace of it is open`() async throws {
        let fixture = try await SimulatorFixture()
        let first = try await phone(fixture, run: "nightly")
        fixture.frozen.advance(by: 500)
        let second = try await phone(fixture, run: "nightly")
        try await fixture.simulator.deleteWorkspace(first.place.workspace)
        try await fixture.simulator.deleteWorkspace(second.place.workspace)
        // The next test leases within a minute of the last one's end.
        fixture.frozen.advance(by: 59)
        _ = try await phone(fixture, run: "nightly")
        #expect(try await fixture.simulator.testRuns().map(\.workspaceCount) == [3])
        // What was left open counts no longer than its lease.
        fixture.frozen.advance(by: 601)
        _ = try await phone(fixture, run: "nightly")
        #expect(try await fixture.simulator.testRuns().map(\.workspaceCount) == [1, 3])
    }

    @Test(arguments: ["nightly", ""])
    func `a run that is asked for anew has nothing of the one before`(name: String) async throws {
        let fixture = try await SimulatorFixture()
        let left = try await phone(fixture, run: name)
        _ = try await left.launch()
        _ = try await phone(fixture, run: name, isNew: true)
        _ = try await phone(fixture, run: name)
        // What the first still does is its own.
        _ = try await left.open("register")
        let runs = try await fixture.simulator.testRuns().sorted { $0.number < $1.number }
        #expect(runs.map(\.workspaceCount) == [1, 2])
        #expect(try await taken(fixture, .run(runs[1].number)).isEmpty)
    }

    @Test func `what a run that is forgotten still does counts for nobody`() async throws {
        let fixture = try await SimulatorFixture()
        let old = try await phone(fixture, run: "old")
        for name in 1...TestRun.maxCount {
            fixture.frozen.advance(by: 1)
            _ = try await phone(fixture, run: "\(name)")
        }
        _ = try await old.launch()
        #expect(try await taken(fixture, .all).isEmpty)
    }

    @Test func `where a test begins counts as seen, how it came there not`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await phone(fixture, run: nil)
        _ = try await phone.launch()
        _ = try await fixture.simulator.assignWorkspace(
            phone.place.workspace, toTestRun: "x", currentInstance: phone.place)
        let all = try await fixture.simulator.transitions(of: "mystica", .all)
        #expect(all == [Transition(from: "", to: "login", count: 1)])
    }

    @Test func `a run outlives the workspaces it was played in`() async throws {
        let fixture = try await SimulatorFixture()
        let phone = try await phone(fixture, run: "")
        _ = try await phone.launch()
        try await fixture.simulator.deleteWorkspace(phone.place.workspace)
        #expect(try await taken(fixture, .run(1)) == ["splash>login 1"])
    }

    @Test func `only the newest runs are remembered`() async throws {
        let fixture = try await SimulatorFixture()
        for name in 0...TestRun.maxCount {
            fixture.frozen.advance(by: 1)
            _ = try await phone(fixture, run: "\(name)").launch()
        }
        let runs = try await fixture.simulator.testRuns()
        #expect(runs.count == TestRun.maxCount)
        #expect(runs.last?.name == "1")
        #expect(try await taken(fixture, .run(1)).isEmpty)
        #expect(try await taken(fixture, .all) == ["splash>login 20"])
    }

    @Test func `emptying main forgets what was seen by hand alone`() async throws {
        let fixture = try await SimulatorFixture()
        _ = try await fixture.phone().launch()
        _ = try await phone(fixture, run: "").launch()
        try await fixture.simulator.reset(workspace: Workspace.mainID)
        #expect(try await taken(fixture, .all) == ["splash>login 1"])
    }
}
