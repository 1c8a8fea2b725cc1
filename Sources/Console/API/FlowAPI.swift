import Apps
import Simulator
import Web

/// `GET /api/apps/{app}/flow`: what was seen of an app, and what a test run
/// did not visit.
struct FlowAPI: Sendable {
    let services: Services

    @Sendable func read(_ visit: Visit) async throws -> Response {
        let app = try services.app(of: visit)
        let asked = try visit.query(allowing: ["seen"])
        let scope = try await FlowScope(asked["seen"], services)
        let map = try await FlowMap(services, app, scope.seen)
        return .json([
            "app": .string(app.id),
            "run": scope.run.map(json) ?? .null,
            "screens": .array(
                map.screens.map {
                    ["id": .string($0.id), "count": JSON($0.count)]
                }),
            "ways": .array(
                map.ways.map {
                    [
                        "from": .string($0.from), "to": .string($0.to),
                        "labels": .array($0.labels.map { .string($0) }), "told": .bool($0.isTold),
                        "count": JSON($0.count),
                    ]
                }),
        ])
    }

    private func json(_ run: TestRun) -> JSON {
        [
            "number": JSON(run.number), "name": .string(run.name),
            "startedAt": .string(run.startedAt.iso8601), "lastAt": .string(run.lastAt.iso8601),
            "workspaces": JSON(run.workspaces),
        ]
    }
}
