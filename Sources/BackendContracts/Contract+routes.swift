package import Backend
import Crypto
import SQLite
import Web

extension Contract {
    /// A route of the contract `id` under its workspace, with its checks in order.
    static func route(
        _ method: Method, _ id: String, _ path: String, _ handler: @escaping Route.Handler,
        checks: [RequestCheck] = []
    ) -> Route {
        Route(method, "/{workspace}/\(id)\(path)", access: .open) { context in
            CheckTrace.plan(checks)
            return try await handler(context)
        }
    }
}

extension RequestContext {
    /// The realm of the contract `id` in the workspace named by the path.
    func realm(_ id: String) -> Realm {
        Realm(workspace: parameters["workspace"] ?? "", contract: id)
    }
}

extension Keyring {
    /// The public keys, for `/.well-known/jwks.json`.
    func jwks() throws -> Response {
        var response = Response.json(text: try keySet.jwks())
        response.headers["Cache-Control"] = "public, max-age=600"
        return response
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

extension Contract.Blueprint {
    /// The contracts of the embedded backend, one per app server.
    package static let all: [Contract.Blueprint] = [
        MysticaContract.blueprint, BobContract.blueprint, WallContract.blueprint,
        ClarityContract.blueprint, SocotoContract.blueprint,
    ]
}
