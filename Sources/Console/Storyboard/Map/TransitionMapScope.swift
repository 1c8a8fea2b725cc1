import Simulator
import Web

/// Whose screens an address asks for: `seen=hand`, `seen=last`, `seen=3`, or
/// nothing for everybody's.
struct TransitionMapScope: Sendable {
    var filter: TransitionScope
    /// The test run, if it is one's.
    var run: TestRun?
    /// What the address said: `last`; nil for everybody's.
    var requested: String?
    /// Newest first.
    var runs: [TestRun]

    static let manual = "hand"
    static let last = "last"

    /// Throws a `Problem` for a run nobody remembers.
    init(_ asked: String?, _ services: Services) async throws {
        runs = try await services.simulator.testRuns()
        self.requested = asked?.nonEmpty
        filter = .all
        guard let asked = self.requested else { return }
        if asked == Self.manual {
            filter = .manual
            return
        }
        if asked == Self.last {
            run = runs.first
            // Nobody has run one: nothing was seen there.
            filter = .run(run?.number ?? -1)
            return
        }
        guard let run = runs.first(where: { "\($0.number)" == asked }) else {
            throw Problem(
                status: 404, code: "unknown-run", title: "No such test run is remembered",
                detail: "seen must be \(Self.manual), \(Self.last) or the number"
                    + " of one of the newest \(TestRun.maxCount) test runs.")
        }
        self.run = run
        filter = .run(run.number)
    }

    /// Whether what was not visited is asked after.
    var isTestRun: Bool {
        switch filter {
        case .run: true
        case .all, .manual: false
        }
    }
}

extension TestRun {
    /// `Run 3`, or the name it was given.
    var title: String { name.isEmpty ? "Run \(number)" : name }
}
