import Core
import SQLite

extension Simulator {
    /// The transitions of an app that were really seen, and how often.
    package func transitions(of app: String, _ scope: TransitionScope) async throws -> [Transition]
    {
        try await database.readThrowingProblems { connection in
            try TransitionTable.transitions(app, scope, connection)
        }
    }

    /// From now on what `workspace` shows counts for a test run, whose number
    /// is answered; empty, `name` is the run of those without one. `isNew`
    /// begins another even if one of that name is going on.
    ///
    /// `place` is an app that stands on a screen already: that is seen too.
    package func assignWorkspace(
        _ workspace: String, toTestRun name: String, startsNewRun: Bool = false,
        currentInstance instance: AppInstance?
    ) async throws -> Int {
        let now = world.now()
        var seen: [Transition] = []
        if let instance {
            let status = try await status(instance)
            if !status.visits.isEmpty {
                seen = [Transition(from: "", to: status.screen, count: 1)]
            }
        }
        return try await database.writeThrowingProblems { [seen] connection in
            let run = try TransitionTable.joinRun(
                workspace, name, isNew: startsNewRun, at: now, connection)
            if let instance { try TransitionTable.add(seen, in: instance, at: now, connection) }
            return Int(run)
        }
    }

    /// The test runs that are remembered, those in which something was done
    /// last first.
    package func testRuns() async throws -> [TestRun] {
        try await database.readThrowingProblems { connection in try TransitionTable.runs(connection)
        }
    }
}
