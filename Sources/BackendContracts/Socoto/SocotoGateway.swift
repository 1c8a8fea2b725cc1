import Backend
import Core
import Crypto
import Web

/// A failure of the gateway in front of both servers, in its own format without a code.
struct GatewayFailure: ServerFailure {
    /// Its details are a hint.
    let row: FailureRow

    static let missingKey = Self(
        401, "No API key found in request", [.apiKey],
        details: "No `apikey` request header or url param was found.")
    static let invalidKey = Self(
        401, "Invalid API key", [.apiKey],
        details: "Double check your Supabase `anon` or `service_role` API key.")
    static let noRoute = Self(404, "no Route matched with those values", [.route])
    static let busy = Self(
        503, "The server is busy. Please try again.", [.apiKey], headers: .retryAfterOneSecond)
    static let unexpectedError = Self(500, "An unexpected error occurred", [.apiKey])

    var response: Response {
        response(.omittingNil(["message": .string(message), "hint": details]))
    }
}

/// The gateway in front of both servers: requires a project's API key, and allows browsers of every
/// origin.
extension SocotoContract {
    /// Throws unless the request has one of the project's keys in its header or query.
    func checkAPIKey(_ request: Request, _ target: RequestTarget) throws {
        let inQuery = target.query.value(of: "apikey")
        guard let key = request.headers["apikey"] ?? inQuery, !key.isEmpty else {
            CheckTrace.record(.apiKey, false, "missing")
            throw GatewayFailure.missingKey
        }
        guard let role = try apiKeys.role(of: key, in: realm) else {
            CheckTrace.record(.apiKey, false, "not a key of this project")
            throw GatewayFailure.invalidKey
        }
        CheckTrace.record(.apiKey, true, "\(role)")
    }

    /// Adds CORS headers to every response. A preflight gets nothing else.
    func finalize(_ response: Response, for request: Request) -> Response {
        var response = response
        if request.method == .options {
            // The REST server itself answers requests that are no preflights.
            let isPreflight = request.headers["Access-Control-Request-Method"] != nil
            if isPreflight || server(request) != .rest { response = Response(status: 200) }
            response.headers["Access-Control-Allow-Methods"] =
                "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"
            response.headers["Access-Control-Allow-Headers"] =
                request.headers["Access-Control-Request-Headers"] ?? """
                    apikey, authorization, content-type, x-client-info, \
                    x-supabase-api-version, prefer, accept-profile, content-profile, range
                    """
            response.headers["Access-Control-Max-Age"] = "3600"
        }
        response.headers["Access-Control-Allow-Origin"] = "*"
        response.headers["Access-Control-Expose-Headers"] =
            "X-Total-Count, Link, X-Supabase-Api-Version, Content-Range"
        return response
    }
}

/// The API keys that a project's clients are configured with: one signed token per role.
///
/// They are signed with the contract's own secret, which is created at first start. Every workspace
/// is a project.
final class ProjectAPIKeys: Sendable {
    private let keyring: Keyring
    /// By workspace.
    private let cachedKeys = SharedCache<String, ProjectKeys>(capacity: 1_024)

    /// The keys of one workspace.
    struct ProjectKeys: Sendable {
        let anon: String
        let service: String
    }

    /// The permissions of a request. The raw value is the token's `role` claim.
    enum Role: String, Sendable {
        case anon
        case authenticated
        case service = "service_role"
    }

    init(_ keyring: Keyring) { self.keyring = keyring }

    /// The same at every start, because the tokens contain no issue time.
    func projectKeys(of realm: Realm) throws -> ProjectKeys {
        let workspace = realm.workspace
        return try cachedKeys.value(for: workspace) {
            ProjectKeys(
                anon: try makeKey(.anon, workspace), service: try makeKey(.service, workspace))
        }
    }

    /// The role of one of the realm's keys. Nil for any other text.
    func role(of key: String, in realm: Realm) throws -> Role? {
        let keys = try projectKeys(of: realm)
        if ConstantTime.areEqual(key, keys.anon) { return .anon }
        if ConstantTime.areEqual(key, keys.service) { return .service }
        return nil
    }

    /// The key names its project in `ref`, as real ones do, except for the first workspace, whose
    /// keys never had one. It expires in 2100, later than any project is used.
    private func makeKey(_ role: Role, _ workspace: String) throws -> String {
        let project = workspace == BackendWorkspaces.mainID ? nil : workspace
        let claims = JSON.omittingNil([
            "iss": "foyer", "ref": project.map(JSON.string), "role": .string(role.rawValue),
            "exp": 4_102_444_800,
        ])
        return try keyring.key(.project).sign(claims: claims.description)
    }
}

/// Maps any error to a response of the server it occurred in.
extension SocotoContract {
    func makeFailureResponse(_ error: any Error, to request: Request) -> Response {
        switch error {
        case let failure as GoTrueFailure: failure.response(to: request)
        case let failure as GoTrueOAuthFailure: failure.response
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
        return path.contains("/rest/v1/") || path.hasSuffix("/rest/v1") ? .rest : .unknown
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
        case (.auth, 413): return GoTrueFailure.bodyTooLarge.response(to: request)
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
                    ? nil : ["error_id": .string(RandomTokens.uuid(services.world))]
            ).response(to: request)
        case .rest: RestFailure(500, "XX000", "internal error").response
        case .unknown: GatewayFailure.unexpectedError.response
        }
    }
}
