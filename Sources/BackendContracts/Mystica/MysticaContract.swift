import Backend
import Crypto
import Web

/// Mystica's server as F-07 specifies it: flat responses, the status codes of its table, e-mail
/// accounts and anonymous devices.
struct MysticaContract: Contract {
    var realm = Realm(workspace: "", contract: id)
    let services: ContractContext
    let accessTokens: AccessTokens
    let mailLimit = MailLimit()

    static let id = "mystica"

    /// Users' tokens can be verified with a public key, devices' tokens by the server alone, as at
    /// the real server.
    static let keyAlgorithms: [Keyring.Role: SigningKey.Algorithm] = [
        .access: .es256, .device: .hs256,
    ]

    /// One hour for users, thirty days for devices (F-07, Token expiration; the real server's
    /// `expires_in` 2592000).
    static let accessTokenLifetime: Duration = .seconds(3_600)
    static let deviceTokenLifetime: Duration = .seconds(2_592_000)

    init(services: ContractContext, accessTokens: AccessTokens) {
        self.services = services
        self.accessTokens = accessTokens
    }

    func makeFailureResponse(_ error: any Error, to request: Request) -> Response {
        MysticaFailure(error, to: request).response(at: services.now(for: request))
    }

    var routes: [Route] {
        [
            route(.post, "/api/v1/auth/register", Self.register, .json + [.emailAvailable]),
            route(
                .post, "/api/v1/auth/login", Self.login,
                .json + .credentials + [.accountActive, .emailVerified]),
            route(
                .get, "/api/v1/auth/me", Self.me,
                .bearer + [.session, .accountActive, .emailVerified]),
            route(
                .post, "/api/v1/auth/refresh", Self.refresh,
                .json + .refreshToken + [.accountActive]),
            route(.post, "/api/v1/auth/logout", Self.logout, [.authorizationHeader]),
            route(.post, "/api/v1/auth/resend-verification", Self.resend, .json),
            route(.post, "/api/v1/auth/reset-password", Self.resetPassword, .json),
            route(
                .post, "/api/v1/auth/register-device", Self.registerDevice, .json + [.accountActive]
            ), route(.get, "/api/v1/health", Self.health),
            route(.get, "/.well-known/jwks.json", Self.jwks), route(.get, "/verify", Self.verify),
            route(.get, "/reset", Self.showResetForm), route(.post, "/reset", Self.reset),
            route(.get, "/page.css", Self.styleSheet),
        ]
    }

    func health(_ context: RequestContext) async throws -> Response {
        .json(["status": "healthy", "timestamp": .string(now.date.iso8601)])
    }
}
