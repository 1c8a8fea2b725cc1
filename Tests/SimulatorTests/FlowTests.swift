import FoundationEssentials
import Support
import Surroundings
import Testing

@testable import Simulator

/// Which ways between screens count as seen, and in whose run.
@Suite(.timeLimit(.minutes(10))) struct FlowTests {
    /// An app of a new device in a workspace of its own, of a test run of
    /// that name or of none.
    private func phone(_ house: SimulatorHouse, run: String?, isNew: Bool = false) async throws
        -> Phone
    {
        let workspace = try await house.simulator.makeWorkspace(
            label: "", lease: .seconds(600), for: .rehearsal)
        let device = try await house.simulator.makeDevice(in: workspace.id)
        if let run {
            _ = try await house.simulator.count(
                workspace.id, toRun: run, isNew: isNew, standing: nil)
        }
        return Phone(
            house: house, place: Place(workspace: workspace.id, device: device.id, app: "mystica"))
    }

    /// Ways from one screen to another.
    private func taken(_ house: SimulatorHouse, _ seen: SeenBy) async throws -> [String] {
        try await house.simulator.transitions(of: "mystica", seen).filter { !$0.from.isEmpty }.map {
            "\($0.from)>\($0.to) \($0.count)"
        }
    }

    @Test func `every way taken by hand is counted`() async throws {
        let house = try await SimulatorHouse()
        let phone = try await house.phone()
        _ = try await phone.launch()
        _ = try await phone.open("register")
        _ = try await phone.open("login")
        _ = try await phone.open("register")
        #expect(
            try await taken(house, .hand) == [
                "login>register 2", "register>login 1", "splash>login 1",
            ])
        #expect(try await taken(house, .anybody) == taken(house, .hand))
    }

    @Test func `the first start comes from nowhere, a relaunch from somewhere`() async throws {
        let house = try await SimulatorHouse()
        let phone = try await house.phone()
        _ = try await phone.launch()
        let first = try await house.simulator.transitions(of: "mystica", .hand)
        #expect(first.contains(Transition(from: "", to: "splash", count: 1)))
        try await house.simulator.relaunch(phone.place, kill: true)
        _ = try await phone.launch()
        #expect(try await taken(house, .hand) == ["login>splash 1", "splash>login 2"])
    }

    @Test func `what Foyer plays by itself counts for nobody`() async throws {
        let house = try await SimulatorHouse()
        _ = try await phone(house, run: nil).launch()
        #expect(try await taken(house, .anybody).isEmpty)
        #expect(try await house.simulator.testRuns().isEmpty)
    }

    @Test func `what is put back was not taken again`() async throws {
        let house = try await SimulatorHouse()
        let phone = try await house.phone().signedIn()
        let shown = house.events(.screen)
        let login = try #require(shown.last { $0.subject == "login" })
        let map = try #require(shown.last { $0.subject == "map" })
        _ = try await phone.simulator.restore(login)
        let before = try await taken(house, .hand)
        _ = try await phone.simulator.restore(map)
        #expect(try await phone.screen == "map")
        #expect(try await taken(house, .hand) == before)
    }

    @Test func `leases without a minute's pause are one test run`() async throws {
        let house = try await SimulatorHouse()
        _ = try await phone(house, run: "").launch()
        house.frozen.advance(by: 59)
        _ = try await phone(house, run: "").launch()
        house.frozen.advance(by: 61)
        _ = try await phone(house, run: "").launch()
        let runs = try await house.simulator.testRuns()
        #expect(runs.map(\.number) == [2, 1])
        #expect(runs.map(\.workspaces) == [1, 2])
        #expect(try await taken(house, .run(1)) == ["splash>login 2"])
        #expect(try await taken(house, .run(2)) == ["splash>login 1"])
        #expect(try await taken(house, .hand).isEmpty)
        #expect(try await taken(house, .anybody) == ["splash>login 3"])
    }

    @Test func `a long test keeps its run open while it shows screens`() async throws {
        let house = try await SimulatorHouse()
        let long = try await phone(house, run: "")
        house.frozen.advance(by: 50)
        _ = try await long.launch()
        house.frozen.advance(by: 50)
        _ = try await phone(house, run: "")
        #expect(try await house.simulator.testRuns().map(\.workspaces) == [2])
    }

    @Test func `leases of one name are one run, whatever comes between`() async throws {
        let house = try await SimulatorHouse()
        for name in ["nightly", "", "nightly", ""] {
            _ = try await phone(house, run: name).launch()
        }
        let runs = try await house.simulator.testRuns()
        #expect(Set(runs.map(\.name)) == ["", "nightly"])
        #expect(runs.map(\.workspaces) == [2, 2])
    }

    @Test func `the last run is the one in which something was done last`() async throws {
        let house = try await SimulatorHouse()
        _ = try await phone(house, run: "nightly")
        house.frozen.advance(by: 1)
        _ = try await phone(house, run: "mine")
        house.frozen.advance(by: 1)
        _ = try await phone(house, run: "nightly")
        #expect(try await house.simulator.testRuns().map(\.name) == ["nightly", "mine"])
    }

    @Test func `a name begins another run once all its workspaces ended`() async throws {
        let house = try await SimulatorHouse()
        let first = try await phone(house, run: "nightly")
        _ = try await first.launch()
        try await house.simulator.dropWorkspace(first.place.workspace)
        house.frozen.advance(by: 61)
        _ = try await phone(house, run: "nightly")
        let runs = try await house.simulator.testRuns()
        #expect(runs.map(\.workspaces) == [1, 1])
        #expect(try await taken(house, .run(runs[0].number)).isEmpty)
    }

    @Test func `a name is the same run while a workspace of it is open`() async throws {
        let house = try await SimulatorHouse()
        let first = try await phone(house, run: "nightly")
        house.frozen.advance(by: 500)
        let second = try await phone(house, run: "nightly")
        try await house.simulator.dropWorkspace(first.place.workspace)
        try await house.simulator.dropWorkspace(second.place.workspace)
        // The next test leases within a minute of the last one's end.
        house.frozen.advance(by: 59)
        _ = try await phone(house, run: "nightly")
        #expect(try await house.simulator.testRuns().map(\.workspaces) == [3])
        // What was left open counts no longer than its lease.
        house.frozen.advance(by: 601)
        _ = try await phone(house, run: "nightly")
        #expect(try await house.simulator.testRuns().map(\.workspaces) == [1, 3])
    }

    @Test(arguments: ["nightly", ""])
    func `a run that is asked for anew has nothing of the one before`(name: String) async throws {
        let house = try await SimulatorHouse()
        let left = try await phone(house, run: name)
        _ = try await left.launch()
        _ = try await phone(house, run: name, isNew: true)
        _ = try await phone(house, run: name)
        // What the first still does is its own.
        _ = try await left.open("register")
        let runs = try await house.simulator.testRuns().sorted { $0.number < $1.number }
        #expect(runs.map(\.workspaces) == [1, 2])
        #expect(try await taken(house, .run(runs[1].number)).isEmpty)
    }

    @Test func `what a run that is forgotten still does counts for nobody`() async throws {
        let house = try await SimulatorHouse()
        let old = try await phone(house, run: "old")
        for name in 1...TestRun.bound {
            house.frozen.advance(by: 1)
            _ = try await phone(house, run: "\(name)")
        }
        _ = try await old.launch()
        #expect(try await taken(house, .anybody).isEmpty)
    }

    @Test func `where a test begins counts as seen, how it came there not`() async throws {
        let house = try await SimulatorHouse()
        let phone = try await phone(house, run: nil)
        _ = try await phone.launch()
        _ = try await house.simulator.count(
            phone.place.workspace, toRun: "x", standing: phone.place)
        let all = try await house.simulator.transitions(of: "mystica", .anybody)
        #expect(all == [Transition(from: "", to: "login", count: 1)])
    }

    @Test func `a run outlives the workspaces it was played in`() async throws {
        let house = try await SimulatorHouse()
        let phone = try await phone(house, run: "")
        _ = try await phone.launch()
        try await house.simulator.dropWorkspace(phone.place.workspace)
        #expect(try await taken(house, .run(1)) == ["splash>login 1"])
    }

    @Test func `only the newest runs are remembered`() async throws {
        let house = try await SimulatorHouse()
        for name in 0...TestRun.bound {
            house.frozen.advance(by: 1)
            _ = try await phone(house, run: "\(name)").launch()
        }
        let runs = try await house.simulator.testRuns()
        #expect(runs.count == TestRun.bound)
        #expect(runs.last?.name == "1")
        #expect(try await taken(house, .run(1)).isEmpty)
        #expect(try await taken(house, .anybody) == ["splash>login 20"])
    }

    @Test func `emptying main forgets what was seen by hand alone`() async throws {
        let house = try await SimulatorHouse()
        _ = try await house.phone().launch()
        _ = try await phone(house, run: "").launch()
        try await house.simulator.reset(workspace: Workspace.main)
        #expect(try await taken(house, .anybody) == ["splash>login 1"])
    }
}
