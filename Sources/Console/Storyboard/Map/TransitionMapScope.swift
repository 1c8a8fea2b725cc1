import Simulator
import Web

/// The source of the transitions a URL requests: `run=manual`, `run=last`, `run=3`, or nothing for
/// all.
struct TransitionMapScope: Sendable {
    var filter: TransitionScope
    /// The requested test run, if any.
    var run: TestRun?
    /// The value in the URL: `last`; nil for all sources.
    var requested: String?
    /// Newest first.
    var runs: [TestRun]

    static let manual = "manual"
    static let last = "last"

    /// Throws a `Problem` if the test run is not recorded.
    init(_ requested: String?, _ services: Services) async throws {
        runs = try await services.simulator.testRuns()
        self.requested = requested?.nonEmpty
        filter = .all
        guard let requested = self.requested else { return }
        if requested == Self.manual {
            filter = .manual
            return
        }
        if requested == Self.last {
            run = runs.first
            // Without a test run, -1 matches no transitions.
            filter = .run(run?.number ?? -1)
            return
        }
        guard let run = runs.first(where: { "\($0.number)" == requested }) else {
            throw Problem(
                status: 404, code: "unknown-run", title: "Unknown test run",
                detail: "run must be \(Self.manual), \(Self.last) or the number"
                    + " of one of the newest \(TestRun.maxCount) test runs.")
        }
        self.run = run
        filter = .run(run.number)
    }

    /// Whether coverage of a test run is requested.
    var isTestRun: Bool {
        switch filter {
        case .run: true
        case .all, .manual: false
        }
    }
}

extension TestRun {
    /// `Run 3`, or the run's name.
    var title: String { name.isEmpty ? "Run \(number)" : name }
}
