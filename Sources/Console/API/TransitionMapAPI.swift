import Apps
import Simulator
import Storyboards
import Web

/// `GET /api/apps/{app}/map`: an app's transition counts, including what a test run did not cover.
struct TransitionMapAPI: Sendable {
    let services: Services

    @Sendable func read(_ context: RequestContext) async throws -> Response {
        let app = try services.app(of: context)
        let queryParameters = try context.query(allowing: ["run"])
        let scope = try await TransitionMapScope(queryParameters["run"], services)
        let map = TransitionMap(
            app, try await services.simulator.transitions(of: app.id, scope.filter))
        return .json([
            "app": .string(app.id),
            "run": scope.run.map(json) ?? .null,
            "screens": .array(
                map.screens.map {
                    ["id": .string($0.id), "count": JSON($0.count)]
                }),
            "transitions": .array(
                map.edges.map {
                    [
                        "from": .string($0.from), "to": .string($0.to),
                        "labels": .array($0.labels.map { .string($0) }),
                        "declared": .bool($0.isDeclared),
                        "count": JSON($0.count),
                    ]
                }),
        ])
    }

    private func json(_ run: TestRun) -> JSON {
        [
            "number": JSON(run.number), "name": .string(run.name),
            "startedAt": .string(run.startedAt.iso8601),
            "lastActivityAt": .string(run.lastActivityAt.iso8601),
            "workspaces": JSON(run.workspaceCount),
        ]
    }
}
