import Backend
import Crypto
import SQLite
import Web

/// Bob's server in two dialects: as its specification describes it under `/api`, and as the NestJS
/// server implements it under `/nest/api`.
struct BobContract: Contract {
    let services: ContractContext
    let accessTokens: AccessTokens
    var realm: Realm

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

    func makeFailureResponse(_ error: any Error, to request: Request) -> Response {
        BobFailure(error, to: request).response(in: BobDialect(request))
    }

    /// CORS for the one origin whose pages may read the NestJS server's responses. Every preflight
    /// gets a 204, whatever its path (Fetch, CORS protocol).
    func finalize(_ response: Response, for request: Request) -> Response {
        guard BobDialect(request) == .nest else { return response }
        let isPreflight = request.method == .options
        var response = isPreflight ? Response(status: 204) : response
        response.headers.add("Access-Control-Allow-Origin", "http://localhost:3001")
        let requestedHeaders = isPreflight ? request.headers["Access-Control-Request-Headers"] : nil
        response.headers.add(
            "Vary", requestedHeaders == nil ? "Origin" : "Origin, Access-Control-Request-Headers")
        if isPreflight {
            response.headers.add("Access-Control-Allow-Methods", "GET,HEAD,PUT,PATCH,POST,DELETE")
        }
        if let requestedHeaders {
            response.headers.add("Access-Control-Allow-Headers", requestedHeaders)
        }
        return response
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
        family.issuesHexTokens = true
        family.idleLifetime = Self.refreshTokenLifetime
        family.reuseInterval = Self.reuseInterval
        if dialect == .nest {
            family.rotatesOnToleratedReuse = false
            family.reuseEndsAllSessions = true
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

/// The two dialects of Bob's server, over the same accounts.
enum BobDialect: String, Sendable {
    /// As the specification describes it: nested, snake case.
    case specification = "document"
    /// As the NestJS server implements it: flat, camel case, strict validation.
    case nest

    /// The dialect of the requested path.
    init(_ request: Request) {
        self = request.firstServerSegment == "nest" ? .nest : .specification
    }

    /// The dialect the session began in. Nil if its data names none.
    init?(_ session: BackendSession) {
        guard let json = try? JSON(parsing: session.contractData),
            let name = json["dialect"]?.string
        else { return nil }
        self.init(rawValue: name)
    }

    /// The dialect as stored in a session.
    var contractData: String {
        let json: JSON = ["dialect": .string(rawValue)]
        return json.description
    }

    /// The prefix of the dialect's paths, after the contract's own.
    var pathPrefix: String { self == .nest ? "/nest/api" : "/api" }

    /// As in the specification (Login, Success Response) and in the real server's `expiresIn`.
    var accessTokenLifetime: Duration { .seconds(self == .nest ? 900 : 3_600) }

    /// The role of a new account: the specification's example, the real server's default.
    var defaultRole: String { self == .nest ? "user" : "contractor" }

    /// The path with its query, as the real server would see it.
    func serverPath(of request: Request) -> String {
        request.serverPath(after: self == .nest ? 3 : 2, withQuery: true)
    }
}

/// Account administration as done directly in the server's tables. Neither dialect has a password
/// change, so no session ends with one.
extension BobContract {
    static let storesNames = true

    static func passwordError(_ password: String) -> String? {
        passwordError(password, minLength: 6)
    }

    static func makeProfile(of account: Account, displayName: String) -> String {
        let names = AccountDraft.splitName(of: displayName)
        return BobProfile(
            firstName: names.first, lastName: names.last, phoneNumber: nil,
            role: BobDialect.specification.defaultRole
        ).jsonText
    }

    static func displayName(of account: Account) -> String? {
        let profile = BobProfile(account)
        let name = "\(profile.firstName) \(profile.lastName)"
        return name == " " ? nil : name
    }

    static func explanation(of action: AdminAction) -> String {
        switch action {
        case .verify, .unverify:
            "Changes the account object only; login ignores it. Sessions remain valid."
        case .disable:
            "Login and refresh return 401 \"User account is inactive\". Access tokens stay valid "
                + "until they expire; sessions resume when the account is enabled."
        case .enable: "The account can sign in; its sessions resume."
        case .lock:
            "Login returns 429 \"Too many failed login attempts\" until then. Sessions remain "
                + "valid, and refresh works."
        case .unlock: "The account can sign in."
        case .setPassword:
            "The next login requires the new password. The contract has no password change, so "
                + "sessions remain valid."
        case .signOut:
            "All its refresh tokens are rejected. Access tokens stay valid until they expire, "
                + "because the server does not check their session."
        case .delete:
            "Deletes the account and its sessions. Refresh tokens are rejected at once; access "
                + "tokens when the server looks up the account."
        }
    }
}
