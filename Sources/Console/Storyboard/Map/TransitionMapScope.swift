import Simulator
import Web

/// The source of the transitions a URL requests: `run=manual`, `run=last`, `run=3`, or nothing for
/// all.
struct TransitionMapScope: Sendable {
    /// The value in the URL; nil for all sources.
    let requested: String?
    let filter: TransitionScope
    /// The requested test run, if any.
    let run: TestRun?
    /// Newest first.
    let runs: [TestRun]

    /// Throws a `Problem` if the test run is not recorded.
    init(_ requested: String?, _ services: Services) async throws {
        let runs = try await services.simulator.testRuns()
        self.runs = runs
        self.requested = requested?.nonEmpty
        switch self.requested {
        case nil: (filter, run) = (.all, nil)
        case "manual": (filter, run) = (.manual, nil)
        // Without a test run, -1 matches no transitions.
        case "last": (filter, run) = (.run(runs.first?.number ?? -1), runs.first)
        case let number?:
            guard let run = runs.first(where: { "\($0.number)" == number }) else {
                throw Problem(
                    status: 404, code: "unknown-run", title: "Unknown test run",
                    detail: "run must be manual, last or the number of one of the newest "
                        + "\(TestRun.maxCount) test runs.")
            }
            (filter, self.run) = (.run(run.number), run)
        }
    }

    /// Whether coverage of a test run is requested.
    var isTestRun: Bool { if case .run = filter { true } else { false } }
}

extension TestRun {
    /// `Run 3`, or the run's name.
    var title: String { name.isEmpty ? "Run \(number)" : name }
}
