import Secrets
import Web

/// Mystica's server, as F-07 specifies it: flat answers, statuses of its
/// table, e-mail accounts and anonymous devices.
struct MysticaContract: Sendable {
    let premises: Premises
    let tokens: AccessTokens
    let family: RefreshFamily
    let mailLimit = MailLimit()

    static let id = "mystica"

    /// People's tokens can be checked by anybody, devices' by the server
    /// alone, as at the real one.
    static let keys: [Keyring.Role: SigningKey.Algorithm] = [.access: .es256, .device: .hs256]

    static let blueprint = Contract.Blueprint(id: id, keys: keys, people: people) {
        MysticaContract(premises: $0, tokens: $1).contract
    }

    /// An hour for people, thirty days for devices (F-07, Token expiration;
    /// the real server's `expires_in` 2592000).
    static let accessLife: Duration = .seconds(3_600)
    static let deviceLife: Duration = .seconds(2_592_000)

    init(premises: Premises, tokens: AccessTokens) {
        self.premises = premises
        self.tokens = tokens
        family = RefreshFamily(world: premises.world)
    }

    var contract: Contract {
        Contract(
            id: Self.id, router: Router(routes), tokens: tokens,
            failure: { [premises] error, request in
                MysticaFailure(error, to: request, at: premises.now(for: request)).response
            }, blame: { ($0 as? MysticaFailure)?.checks })
    }

    private var routes: [Route] {
        [
            route(.post, "/api/v1/auth/register", register, .json + [.addressFree]),
            route(
                .post, "/api/v1/auth/login", login, .json + .credentials + [.standing, .verified]),
            route(.get, "/api/v1/auth/me", me, .bearer + [.session, .standing, .verified]),
            route(.post, "/api/v1/auth/refresh", refresh, .json + .refreshing + [.standing]),
            route(.post, "/api/v1/auth/logout", logout, [.header]),
            route(
                .post, "/api/v1/auth/resend-verification", resend, .json),
            route(
                .post, "/api/v1/auth/reset-password", resetPassword, .json),
            route(
                .post, "/api/v1/auth/register-device", registerDevice,
                .json + [.standing]),
            route(.get, "/api/v1/health", health),
            route(.get, "/.well-known/jwks.json", jwks),
            route(.get, "/verify", verify),
            route(.get, "/reset", resetForm),
            route(.post, "/reset", reset),
            route(.get, "/page.css", { _ in ActionPage.style }),
        ]
    }

    private func route(
        _ method: Method, _ path: String, _ handler: @escaping Route.Handler, _ checks: [Check] = []
    ) -> Route { Contract.route(method, Self.id, path, handler, checks: checks) }

    func realm(_ visit: Visit) -> Realm { visit.realm(Self.id) }

    @Sendable func health(_ visit: Visit) async throws -> Response {
        .json([
            "status": "healthy", "timestamp": .string(premises.now(in: realm(visit)).date.iso8601),
        ])
    }

    @Sendable func jwks(_ visit: Visit) async throws -> Response { try tokens.keyring.jwks() }
}
