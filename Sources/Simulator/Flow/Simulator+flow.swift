import SQLite

extension Simulator {
    /// The transitions of an app that were really seen, and how often.
    package func transitions(
        of app: String, _ seen: SeenBy
    ) async throws -> [Transition] {
        try await database.reading { connection in
            try FlowTable.transitions(app, seen, connection)
        }
    }

    /// The test runs that are remembered, newest first.
    package func testRuns() async throws -> [TestRun] {
        try await database.reading { connection in
            try FlowTable.runs(connection)
        }
    }
}
