import Backend
import Simulator
import Surroundings
import Traffic
import Web

/// `POST /api/reset` and `GET /health`.
struct WorkspaceAPI: Sendable {
    let services: Services
    let visitors: Visitors

    /// This workspace empty: devices, accounts, mail, traffic, conditions.
    @Sendable func reset(_ visit: Visit) async throws -> Response {
        _ = try visit.query(allowing: [])
        try BodyReader.expectNothing(visit.request)
        let workspace = try visitors.workspace(of: visit)
        try await services.simulator.reset(workspace: workspace)
        try await services.backend.reset(workspace: workspace)
        _ = try await services.exchanges.forget(workspace: workspace)
        try await services.conditions.forget(workspace: workspace)
        services.hub.publish(
            EventDraft(
                workspace: workspace, kind: .reset,
                title: "Workspace emptied"))
        return .noContent
    }

    @Sendable func health(_ visit: Visit) async throws -> Response {
        .json(["status": "ok", "version": .string(services.version)])
    }
}
