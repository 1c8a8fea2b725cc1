package import Backend
import Core
import Crypto
import SQLite
import Web

extension Contract {
    /// An endpoint, as a method of the contract bound to the request's workspace.
    typealias Handler = @Sendable (Self) -> @Sendable (RequestContext) async throws -> Response

    /// A route under the workspace and the contract, with its checks in order.
    func route(
        _ method: Method, _ path: String, _ handler: @escaping Handler,
        _ checks: [RequestCheck] = []
    ) -> Route {
        Route(method, "/{workspace}/\(Self.id)\(path)", access: .open) { context in
            CheckTrace.plan(checks)
            let contract = bound(to: context.parameters["workspace"] ?? "")
            return try await handler(contract)(context)
        }
    }

    /// The contract for requests to a workspace.
    func bound(to workspace: String) -> Self {
        var contract = self
        contract.realm.workspace = workspace
        return contract
    }

    /// The time in the workspace; not inside a write, where the clock skew fault does not apply.
    var now: Timestamp { services.now(in: realm) }

    var database: TracingDatabase { services.database }

    /// The base address for clients of the workspace.
    var baseURL: String { services.baseURL(of: realm) }

    /// The base address for real clients of a contract with root paths.
    var rootURL: String { services.rootURL(of: realm) }

    func isOn(_ featureSwitch: FeatureSwitch) -> Bool {
        services.switches.isOn(featureSwitch, in: realm)
    }

    /// GET …/page.css: the style sheet of the pages behind mailed links.
    func styleSheet(_ context: RequestContext) async throws -> Response {
        Response(
            status: 200,
            headers: [
                "Content-Type": "text/css; charset=utf-8", "Cache-Control": "public, max-age=600",
            ], body: .bytes(Array(EmailActionPage.css.utf8)))
    }

    /// GET …/jwks.json: the public keys of access tokens.
    func jwks(_ context: RequestContext) async throws -> Response {
        var response = Response.json(text: try accessTokens.keyring.keySet.jwks())
        response.headers["Cache-Control"] = "public, max-age=600"
        return response
    }

    /// Signs `claims`, to which the times of issue and expiry are added.
    func signToken(
        _ claims: JSON, of account: Account, lifetime: Duration, as role: Keyring.Role = .access
    ) throws -> String {
        guard case .object(let members) = claims else { preconditionFailure("claims are members") }
        let now = now
        let expiresAt = now + accessTokens.lifetime(lifetime, of: account)
        return try accessTokens.sign(
            .object(
                members + [.init("iat", .int(now.seconds)), .init("exp", .int(expiresAt.seconds))]),
            as: role)
    }
}

extension Error {
    /// Whether the machine is temporarily out of capacity, so that a retry helps.
    var isBusy: Bool {
        switch self {
        case let error as CryptoError: error.kind == .busy
        case let error as DatabaseError: error.kind == .busy
        default: false
        }
    }
}

extension [any Contract.Type] {
    /// The contracts of the embedded backend, one per app server.
    package static var all: [any Contract.Type] {
        [
            MysticaContract.self, BobContract.self, WallContract.self, ClarityContract.self,
            SocotoContract.self,
        ]
    }
}

/// The bearer token in a request's `Authorization` header. The scheme's name is case-insensitive
/// (RFC 9110, 11.1).
enum Bearer: Sendable, Equatable {
    /// No header, or another scheme.
    case missing
    /// The scheme without a token.
    case empty
    case token(String)

    init(_ request: Request) {
        let header = request.headers["Authorization"] ?? ""
        let remainder = header.dropFirst(6)
        guard header.prefix(6).lowercased() == "bearer", remainder.isEmpty || remainder.first == " "
        else {
            self = .missing
            CheckTrace.record(
                .authorizationHeader, false, header.isEmpty ? "missing" : "not Bearer")
            return
        }
        let token = remainder.drop { $0 == " " }
        CheckTrace.record(
            .authorizationHeader, !token.isEmpty,
            token.isEmpty ? "Bearer without a token" : "Bearer")
        self = token.isEmpty ? .empty : .token(String(token))
    }

    var token: String? { if case .token(let token) = self { token } else { nil } }
}
