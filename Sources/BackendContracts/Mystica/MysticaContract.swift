import Backend
import Crypto
import Web

/// Mystica's server as F-07 specifies it: flat responses, the status codes of its table, e-mail
/// accounts and anonymous devices.
package struct MysticaContract: Sendable {
    let services: ContractContext
    let accessTokens: AccessTokens
    let refreshFamily: RefreshFamily
    let mailLimit = MailLimit()

    static let id = "mystica"

    /// Users' tokens can be verified with a public key, devices' tokens by the server alone, as at
    /// the real server.
    static let keyAlgorithms: [Keyring.Role: SigningKey.Algorithm] = [
        .access: .es256, .device: .hs256,
    ]

    static let blueprint = Contract.Blueprint(
        id: id, keyAlgorithms: keyAlgorithms, administration: administration
    ) {
        MysticaContract(services: $0, accessTokens: $1).contract
    }

    /// One hour for users, thirty days for devices (F-07, Token expiration; the real server's
    /// `expires_in` 2592000).
    static let accessTokenLifetime: Duration = .seconds(3_600)
    static let deviceTokenLifetime: Duration = .seconds(2_592_000)

    init(services: ContractContext, accessTokens: AccessTokens) {
        self.services = services
        self.accessTokens = accessTokens
        refreshFamily = RefreshFamily(world: services.world)
    }

    var contract: Contract {
        Contract(
            id: Self.id, router: Router(routes), accessTokens: accessTokens,
            makeFailureResponse: { [services] error, request in
                MysticaFailure(error, to: request).response(at: services.now(for: request))
            })
    }

    private var routes: [Route] {
        [
            route(.post, "/api/v1/auth/register", register, .json + [.emailAvailable]),
            route(
                .post, "/api/v1/auth/login", login,
                .json + .credentials + [.accountActive, .emailVerified]),
            route(
                .get, "/api/v1/auth/me", me, .bearer + [.session, .accountActive, .emailVerified]),
            route(.post, "/api/v1/auth/refresh", refresh, .json + .refreshToken + [.accountActive]),
            route(.post, "/api/v1/auth/logout", logout, [.authorizationHeader]),
            route(
                .post, "/api/v1/auth/resend-verification", resend, .json),
            route(
                .post, "/api/v1/auth/reset-password", resetPassword, .json),
            route(
                .post, "/api/v1/auth/register-device", registerDevice,
                .json + [.accountActive]),
            route(.get, "/api/v1/health", health),
            route(.get, "/.well-known/jwks.json", jwks),
            route(.get, "/verify", verify),
            route(.get, "/reset", showResetForm),
            route(.post, "/reset", reset),
            route(.get, "/page.css", { _ in EmailActionPage.styleSheetResponse }),
        ]
    }

    private func route(
        _ method: Method, _ path: String, _ handler: @escaping Route.Handler,
        _ checks: [RequestCheck] = []
    ) -> Route { Contract.route(method, Self.id, path, handler, checks: checks) }

    func realm(_ context: RequestContext) -> Realm { context.realm(Self.id) }

    @Sendable func health(_ context: RequestContext) async throws -> Response {
        .json([
            "status": "healthy",
            "timestamp": .string(services.now(in: realm(context)).date.iso8601),
        ])
    }

    @Sendable func jwks(_ context: RequestContext) async throws -> Response {
        try accessTokens.keyring.jwks()
    }
}
