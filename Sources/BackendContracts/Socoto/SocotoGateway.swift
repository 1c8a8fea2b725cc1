import Backend
import Core
import Crypto
import Synchronization
import Web

/// A failure of the gateway in front of both servers, in its own format without a code.
struct GatewayFailure: ExpectedError, Sendable, Equatable {
    let status: Int
    let message: String
    var failedChecks: [RequestCheck] = [.apiKey]
    var hint: String?
    var headers = Headers()

    static let missingKey = Self(
        status: 401, message: "No API key found in request",
        hint: "No `apikey` request header or url param was found.")
    static let invalidKey = Self(
        status: 401, message: "Invalid API key",
        hint: "Double check your Supabase `anon` or `service_role` API key.")
    static let noRoute = Self(
        status: 404, message: "no Route matched with those values", failedChecks: [.route])
    static let busy = Self(
        status: 503, message: "The server is busy. Please try again.", headers: .retryAfterOneSecond
    )
    static let unexpectedError = Self(status: 500, message: "An unexpected error occurred")

    var response: Response {
        .json(
            .omittingNil(["message": .string(message), "hint": hint.map(JSON.string)]),
            status: status, headers: headers)
    }
}

/// The gateway in front of both servers: requires a project's API key, and allows browsers of every
/// origin.
extension SocotoContract {
    /// Throws unless the request has one of the project's keys in its header or query.
    func checkAPIKey(_ request: Request, _ target: RequestTarget) throws {
        let inQuery = target.query.first { $0.name == "apikey" }?.value
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
            response = Response(status: 200)
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
    private let cache = Mutex<[String: ProjectKeys]>([:])

    /// The keys of one workspace.
    struct ProjectKeys: Sendable {
        let anon: String
        let service: String
    }

    /// How many workspaces' keys are cached. Beyond that the cache is cleared.
    private static let maxCachedWorkspaces = 1_024

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
        if let keys = cache.withLock({ $0[workspace] }) { return keys }
        let keys = ProjectKeys(
            anon: try makeKey(.anon, workspace), service: try makeKey(.service, workspace))
        cache.withLock { cached in
            if cached.count >= Self.maxCachedWorkspaces { cached = [:] }
            cached[workspace] = keys
        }
        return keys
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
