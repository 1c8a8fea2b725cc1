import Web

/// `POST /api/reset` and `GET /health`.
struct WorkspaceAPI: Sendable {
    let services: Services
    let scopeResolver: ScopeResolver

    /// Clears the workspace: devices, accounts, mail, traffic and faults.
    @Sendable func reset(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: [])
        try BodyReader.requireEmptyBody(context.request)
        try await services.reset(workspace: scopeResolver.workspace(of: context))
        return .noContent
    }

    @Sendable func health(_ context: RequestContext) async throws -> Response {
        .json(["status": "ok", "version": .string(services.version)])
    }
}
