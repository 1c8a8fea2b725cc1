import Simulator
import Web

/// Whose screens an address asks for: `seen=hand`, `seen=last`, `seen=3`, or
/// nothing for everybody's.
struct FlowScope: Sendable {
    var seen: SeenBy
    /// The test run, if it is one's.
    var run: TestRun?
    /// What the address said: `last`; nil for everybody's.
    var asked: String?
    /// Newest first.
    var runs: [TestRun]

    static let hand = "hand"
    static let last = "last"

    /// Throws a `Problem` for a run nobody remembers.
    init(_ asked: String?, _ services: Services) async throws {
        runs = try await services.simulator.testRuns()
        self.asked = asked?.given
        seen = .anybody
        guard let asked = self.asked else { return }
        if asked == Self.hand {
            seen = .hand
            return
        }
        if asked == Self.last {
            run = runs.first
            // Nobody has run one: nothing was seen there.
            seen = .run(run?.number ?? -1)
            return
        }
        guard let run = runs.first(where: { "\($0.number)" == asked }) else {
            throw Problem(
                status: 404, code: "unknown-run", title: "No such test run is remembered",
                detail: "seen must be \(Self.hand), \(Self.last) or the number"
                    + " of one of the newest \(TestRun.bound) test runs.")
        }
        self.run = run
        seen = .run(run.number)
    }

    /// Whether what was not visited is asked after.
    var isRun: Bool {
        switch seen {
        case .run: true
        case .anybody, .hand: false
        }
    }
}

extension TestRun {
    /// `Run 3`, or the name it was given.
    var title: String { name.isEmpty ? "Run \(number)" : name }
}
