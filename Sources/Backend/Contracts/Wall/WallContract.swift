import Secrets
import Surroundings
import Web

/// Anonymous Wall's server, twice: as the document describes it below
/// `/auth`, and as the Micronaut server speaks below `/api/v1/auth`.
struct WallContract: Sendable {
    let premises: Premises
    let tokens: AccessTokens
    let codes: Codes
    let family: RefreshFamily
    /// How many codes an address gets in a while, in the document's dialect.
    let mailLimit = MailLimit()

    static let id = "wall"

    static let blueprint = Contract.Blueprint(
        id: id, keys: [.access: .hs256, .code: .hs256],
        troubles: [.clockSkew, .mailLost, .codeExpired], people: people
    ) { WallContract(premises: $0, tokens: $1).contract }

    /// A day (the Micronaut server's 86,400 s; the document names none).
    static let accessLife: Duration = .seconds(86_400)
    static let codeLife: Duration = .seconds(900)
    /// Wrong guesses a code survives, in the document's dialect.
    static let guesses = 5

    init(premises: Premises, tokens: AccessTokens) {
        self.premises = premises
        self.tokens = tokens
        codes = Codes(world: premises.world, keyring: tokens.keyring)
        family = RefreshFamily(world: premises.world)
    }

    var contract: Contract {
        Contract(
            id: Self.id, router: Router(routes), tokens: tokens,
            failure: { error, request in
                WallFailure(error, to: request).response(
                    in: WallDialect(request), path: WallDialect.path(request))
            }, blame: { ($0 as? WallFailure)?.checks })
    }

    func realm(_ visit: Visit) -> Realm { visit.realm(Self.id) }

    private var routes: [Route] {
        func route(_ path: String, _ handler: @escaping Route.Handler, _ checks: [Check]) -> Route {
            Contract.route(.post, Self.id, path, handler, checks: checks)
        }
        let java = "/api/v1/auth"
        let holder = .bearer + [.holder] + .json
        return [
            route("/auth/register", register, .json + [.addressFree, .limit]),
            route("/auth/request-code", requestCode, .json + [.account, .limit]),
            route("/auth/login", login, .json + .code + [.guesses, .account]),
            route("\(java)/email/send-code", javaSendCode, .json + [.account]),
            route("\(java)/register/email", javaRegister, .json + [.addressFree] + .code),
            route("\(java)/login/email", javaLogin, .json + .code + [.account]),
            route(
                "\(java)/login/password", javaPasswordLogin,
                .json + [.account, .verified, .password]),
            route("\(java)/password/set", javaSetPassword, holder + [.state]),
            route("\(java)/password/change", javaChangePassword, holder + [.password, .state]),
            route("\(java)/password/reset-request", javaRequestReset, .json + [.account]),
            route("\(java)/password/reset", javaReset, .json + [.account] + .code),
        ]
    }
}
