import Secrets
import Surroundings
import Web

/// Bob's server, twice: as the document describes it below `/api`, and as the
/// NestJS server speaks below `/nest/api`.
struct BobContract: Sendable {
    let premises: Premises
    let tokens: AccessTokens

    static let id = "bob"

    /// The algorithm of the document's example tokens.
    static let blueprint = Contract.Blueprint(
        id: id, keys: [.access: .hs256], troubles: [.clockSkew, .accountLocked], people: people
    ) { BobContract(premises: $0, tokens: $1).contract }

    /// Five wrong passwords for an address from one place.
    static let failedLogins = RateLimit(name: "failed logins", count: 5, window: .seconds(900))
    static let refreshes = RateLimit(name: "refreshes", count: 10, window: .seconds(60))
    static let refreshLife: Duration = .seconds(604_800)
    /// For so long a refresh whose answer was lost can be asked for again.
    static let grace: Duration = .seconds(120)

    var contract: Contract {
        Contract(
            id: Self.id, router: Router(documentRoutes + nestRoutes), tokens: tokens,
            failure: { error, request in
                BobFailure(error, to: request).response(in: BobDialect(request))
            }, blame: { ($0 as? BobFailure)?.checks },
            dress: { request, response in
                BobDialect(request) == .nest ? NestOrigin.dress(response, to: request) : response
            })
    }

    func realm(_ visit: Visit) -> Realm { visit.realm(Self.id) }

    /// Exchanges a refresh token shown at the door of `dialect`. What its
    /// second use means is up to the dialect its session began in: who asks
    /// does not choose the milder one.
    func rotate(_ token: String, at dialect: BobDialect, in realm: Realm) async throws
        -> RefreshFamily.Outcome
    {
        try await family(dialect).rotate(
            token, in: realm, at: premises.now(in: realm), database: premises.database,
            admit: { account in guard account.disabledAt == nil else { throw BobFailure.inactive }
            },
            of: { session in family(BobDialect(session) ?? dialect) })
    }

    func family(_ dialect: BobDialect) -> RefreshFamily {
        var family = RefreshFamily(world: premises.world)
        family.spelling = .hex
        family.life = Self.refreshLife
        family.reuseInterval = Self.grace
        if dialect == .nest {
            family.repeatsRotate = false
            family.reach = .account
        }
        return family
    }

    private var documentRoutes: [Route] {
        func route(_ path: String, _ handler: @escaping Route.Handler, _ checks: [Check]) -> Route {
            Contract.route(
                .post, Self.id, "\(BobDialect.document.root)/auth\(path)", handler, checks: checks)
        }
        return [
            route("/login", login, .json + .credentials + [.standing]),
            route("/register", register, .json + [.addressFree]),
            route("/refresh", refresh, .json + .refreshing + [.age, .standing]),
            route("/logout", logout, .bearer + [.audience, .session]),
        ]
    }

    private var nestRoutes: [Route] {
        func route(
            _ method: Method, _ path: String, _ handler: @escaping Route.Handler, _ checks: [Check]
        ) -> Route {
            Contract.route(
                method, Self.id, "\(BobDialect.nest.root)/auth\(path)", handler, checks: checks)
        }
        let holder = .bearer + [Check.audience, .holder]
        return [
            route(.post, "/login", nestLogin, .json + [.limit] + .credentials + [.standing]),
            route(.post, "/register", nestRegister, .json + [.addressFree]),
            route(
                .post, "/refresh", nestRefresh, [.limit] + .json + .refreshing + [.age, .standing]),
            route(.post, "/logout", nestLogout, holder),
            route(.get, "/me", nestMe, holder + [.standing]),
        ]
    }
}
