import Web

/// `POST /api/reset` and `GET /health`.
struct WorkspaceAPI: Sendable {
    let services: Services
    let visitors: Visitors

    /// This workspace empty: devices, accounts, mail, traffic, conditions.
    @Sendable func reset(_ visit: Visit) async throws -> Response {
        _ = try visit.query(allowing: [])
        try BodyReader.expectNothing(visit.request)
        try await services.empty(workspace: visitors.workspace(of: visit))
        return .noContent
    }

    @Sendable func health(_ visit: Visit) async throws -> Response {
        .json(["status": "ok", "version": .string(services.version)])
    }
}
