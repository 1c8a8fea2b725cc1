import Backend
import Core
import Web

/// Maps any error to a response of the server it occurred in.
extension SocotoContract {
    func makeFailureResponse(_ error: any Error, to request: Request) -> Response {
        switch error {
        case let failure as GoTrueFailure: failure.response(to: request)
        case let failure as RestFailure: failure.response
        case let refusal as GatewayFailure: refusal.response
        case let problem as Problem: makeFailureResponse(problem, to: request)
        case let error where error.isBusy: GatewayFailure.busy.response
        default: unexpectedErrorResponse(request)
        }
    }

    /// The server a request was for.
    private enum Server { case auth, rest, unknown }

    private func server(_ request: Request) -> Server {
        let path = request.target.prefix { $0 != "?" }
        if path.contains("/auth/v1/") { return .auth }
        return path.contains("/rest/v1/") ? .rest : .unknown
    }

    /// The contract in the workspace of a path without a route. Paths at the root, as real clients
    /// use them, belong to the first workspace.
    private func bound(to target: RequestTarget) -> Self {
        let segments = target.segments
        let isNamed = segments.count > 1 && segments[1] == Self.id
        return bound(to: isNamed ? segments[0] : BackendWorkspaces.mainID)
    }

    private func makeFailureResponse(_ problem: Problem, to request: Request) -> Response {
        guard problem.code != "unknown-workspace" else { return problem.response }
        let server = server(request)
        // The gateway checks the API key before routing.
        if server != .unknown, let target = try? RequestTarget(parsing: request.target) {
            do { try bound(to: target).checkAPIKey(request, target) } catch let refusal
                as GatewayFailure
            { return refusal.response } catch {
                services.world.log("backend: \(Self.id): \(error)")
                return unexpectedErrorResponse(request)
            }
        }
        switch (server, problem.status) {
        case (.auth, 404):
            return Response(
                status: 404, headers: ["Content-Type": "text/plain; charset=utf-8"],
                body: .bytes(Array("404 page not found\n".utf8)))
        case (.auth, 405): return Response(status: 405, headers: problem.headers)
        case (.auth, _):
            return GoTrueFailure(problem.status, "validation_failed", problem.detail).response(
                to: request)
        case (.rest, 404): return RestFailure.invalidPath.response
        case (.rest, 405): return RestFailure.unsupportedMethod(request.method).response
        case (.rest, _): return RestFailure(problem.status, "PGRST100", problem.detail).response
        case (.unknown, 404): return GatewayFailure.noRoute.response
        case (.unknown, _): return problem.response
        }
    }

    private func unexpectedErrorResponse(_ request: Request) -> Response {
        switch server(request) {
        case .auth:
            GoTrueFailure(
                500, "unexpected_failure",
                "Unexpected failure, please check server logs for more information",
                // The old dialect names an entry of the server's log.
                details: GoTrueAPIVersion.isNew(request)
                    ? [] : [.init("error_id", .string(RandomTokens.uuid(services.world)))]
            ).response(to: request)
        case .rest: RestFailure(500, "XX000", "internal error").response
        case .unknown: GatewayFailure.unexpectedError.response
        }
    }
}
