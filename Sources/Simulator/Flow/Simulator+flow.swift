import SQLite
import Surroundings

extension Simulator {
    /// The transitions of an app that were really seen, and how often.
    package func transitions(of app: String, _ seen: SeenBy) async throws -> [Transition] {
        try await database.reading { connection in try FlowTable.transitions(app, seen, connection)
        }
    }

    /// From now on what `workspace` shows counts for a test run, whose number
    /// is answered; empty, `name` is the run of those without one. `isNew`
    /// begins another even if one of that name is going on.
    ///
    /// `place` is an app that stands on a screen already: that is seen too.
    package func count(
        _ workspace: String, toRun name: String, isNew: Bool = false, standing place: Place?
    ) async throws -> Int {
        let now = world.now()
        var seen: [Transition] = []
        if let place {
            let situation = try await situation(place)
            if !situation.visits.isEmpty {
                seen = [Transition(from: "", to: situation.screen, count: 1)]
            }
        }
        return try await database.writing { [seen] connection in
            let run = try FlowTable.join(workspace, name, isNew: isNew, at: now, connection)
            if let place { try FlowTable.add(seen, in: place, at: now, connection) }
            return Int(run)
        }
    }

    /// The test runs that are remembered, those in which something was done
    /// last first.
    package func testRuns() async throws -> [TestRun] {
        try await database.reading { connection in try FlowTable.runs(connection) }
    }
}
