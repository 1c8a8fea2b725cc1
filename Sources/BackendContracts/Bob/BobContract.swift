import Backend
import Core
import Crypto
import Web

/// Bob's server in two dialects: as its specification describes it under `/api`, and as the NestJS
/// server implements it under `/nest/api`.
struct BobContract: Contract {
    var realm = Realm(workspace: "", contract: id)
    let services: ContractContext
    let accessTokens: AccessTokens

    static let id = "bob"
    /// HS256 is the algorithm of the specification's example tokens.
    static let keyAlgorithms: [Keyring.Role: SigningKey.Algorithm] = [.access: .hs256]
    static let supportedFaults: Set<FaultHooks.Kind> = [.clockSkew, .accountLocked]

    /// Five wrong passwords per address and peer.
    static let failedLoginLimit = RateLimit(name: "failed logins", count: 5, window: .seconds(900))
    static let refreshLimit = RateLimit(name: "refreshes", count: 10, window: .seconds(60))
    static let refreshTokenLifetime: Duration = .seconds(604_800)
    /// How long a refresh whose response was lost can be repeated.
    static let reuseInterval: Duration = .seconds(120)

    init(services: ContractContext, accessTokens: AccessTokens) {
        self.services = services
        self.accessTokens = accessTokens
    }

    func makeFailureResponse(_ error: any Error, to request: Request) -> Response {
        BobFailure(error, to: request).response(in: BobDialect(request))
    }

    func finalize(_ response: Response, for request: Request) -> Response {
        BobDialect(request) == .nest ? NestCORS.finalize(response, for: request) : response
    }

    /// Exchanges a refresh token presented in `dialect`. The rules for its reuse are those of the
    /// dialect its session began in, so that a client cannot choose the milder one.
    func rotate(_ token: String, dialect: BobDialect) async throws -> RefreshFamily.Outcome {
        try await makeRefreshFamily(dialect).rotate(
            token, in: realm, at: now, database: services.database,
            authorize: { account in
                guard account.disabledAt == nil else { throw BobFailure.accountInactive }
            }, rules: { session in makeRefreshFamily(BobDialect(session) ?? dialect) })
    }

    func makeRefreshFamily(_ dialect: BobDialect) -> RefreshFamily {
        var family = RefreshFamily(world: services.world)
        family.tokenFormat = .hex
        family.idleLifetime = Self.refreshTokenLifetime
        family.reuseInterval = Self.reuseInterval
        if dialect == .nest {
            family.rotatesOnToleratedReuse = false
            family.reuseRevocationScope = .account
        }
        return family
    }

    var routes: [Route] {
        let path = BobDialect.specification.pathPrefix + "/auth"
        let nestPath = BobDialect.nest.pathPrefix + "/auth"
        let bearerChecks = .bearer + [RequestCheck.audience, .tokenAccount]
        let refreshChecks = .json + .refreshToken + [.refreshTokenAge, .accountActive]
        return [
            route(.post, path + "/login", Self.login, .json + .credentials + [.accountActive]),
            route(.post, path + "/register", Self.register, .json + [.emailAvailable]),
            route(.post, path + "/refresh", Self.refresh, refreshChecks),
            route(.post, path + "/logout", Self.logout, .bearer + [.audience, .session]),
            route(
                .post, nestPath + "/login", Self.nestLogin,
                .json + [.rateLimit] + .credentials + [.accountActive]),
            route(.post, nestPath + "/register", Self.nestRegister, .json + [.emailAvailable]),
            route(.post, nestPath + "/refresh", Self.nestRefresh, [.rateLimit] + refreshChecks),
            route(.post, nestPath + "/logout", Self.nestLogout, bearerChecks),
            route(.get, nestPath + "/me", Self.nestMe, bearerChecks + [.accountActive]),
        ]
    }
}

/// CORS for the one origin whose pages may read the NestJS server's responses.
enum NestCORS {
    private static let allowedOrigin = "http://localhost:3001"

    /// Adds the CORS headers to `response`. Every preflight gets a 204, whatever its path (Fetch,
    /// CORS protocol).
    static func finalize(_ response: Response, for request: Request) -> Response {
        let isPreflight = request.method == .options
        var response = isPreflight ? Response(status: 204) : response
        response.headers.add("Access-Control-Allow-Origin", allowedOrigin)
        guard isPreflight else {
            response.headers.add("Vary", "Origin")
            return response
        }
        let requestedHeaders = request.headers["Access-Control-Request-Headers"]
        response.headers.add(
            "Vary", requestedHeaders == nil ? "Origin" : "Origin, Access-Control-Request-Headers")
        response.headers.add("Access-Control-Allow-Methods", "GET,HEAD,PUT,PATCH,POST,DELETE")
        if let requestedHeaders {
            response.headers.add("Access-Control-Allow-Headers", requestedHeaders)
        }
        return response
    }
}
