import Core
import SQLite

extension Simulator {
    /// The observed transitions of an app, with their counts.
    package func transitions(of app: String, _ scope: TransitionScope) async throws -> [Transition]
    { try await database.readThrowingProblems { try TransitionTable.transitions(app, scope, $0) } }

    /// Counts transitions in `workspace` for a test run and returns the run's number. An empty
    /// `name` is the run without a name. `startsNewRun` starts another run even if one of that name
    /// is active.
    ///
    /// `currentInstance` is an app that already shows a screen: that is counted too.
    package func assignWorkspace(
        _ workspace: String, toTestRun name: String, startsNewRun: Bool = false,
        currentInstance instance: AppInstance?
    ) async throws -> Int {
        let now = world.now()
        var initialTransitions: [Transition] = []
        if let instance {
            let status = try await status(instance)
            if !status.visits.isEmpty {
                initialTransitions = [Transition(from: "", to: status.screen, count: 1)]
            }
        }
        return try await database.writeThrowingProblems { [initialTransitions] connection in
            let run = try TransitionTable.joinRun(
                workspace, name, isNew: startsNewRun, at: now, connection)
            if let instance {
                try TransitionTable.add(initialTransitions, in: instance, at: now, connection)
            }
            return Int(run)
        }
    }

    /// The stored test runs, the most recently active first.
    package func testRuns() async throws -> [TestRun] {
        try await database.readThrowingProblems { connection in try TransitionTable.runs(connection)
        }
    }
}
