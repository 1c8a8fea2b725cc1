import Core
import Crypto
import Web

/// Socoto's server: Supabase's two servers as their clients know them.
///
/// Sign-in is GoTrue's, the table `profiles` PostgREST's. Both are behind a gateway that requires
/// the project's API key.
struct SocotoContract: Sendable {
    let services: ContractContext
    let accessTokens: AccessTokens
    let refreshTokens: DerivedRefreshTokens
    let codes: OneTimeCodes
    let gateway: SocotoGateway

    static let id = "socoto"

    /// Access tokens can be verified with a public key. Project keys and derived secrets can only
    /// be made with this contract's own keys.
    static let keyAlgorithms: [Keyring.Role: SigningKey.Algorithm] = [
        .access: .es256, .project: .hs256, .code: .hs256,
    ]

    static let blueprint = Contract.Blueprint(
        id: id, keyAlgorithms: keyAlgorithms, clientName: "supabase", rootPaths: ["auth", "rest"],
        switches: [confirmEmail, signups, limitsMailToOnePerMinute],
        supportedFaults: Set(FaultHooks.Kind.allCases),
        administration: administration
    ) { try SocotoContract(services: $0, accessTokens: $1).contract }

    static let confirmEmail = FeatureSwitch(
        name: "confirmEmail", text: "New accounts follow a mailed link before they can sign in",
        isOnByDefault: true)
    static let signups = FeatureSwitch(
        name: "signups", text: "New accounts can be made", isOnByDefault: true)
    static let limitsMailToOnePerMinute = FeatureSwitch(
        name: "mailEveryMinute",
        text: "Mails to one address are a minute apart, as at hosted "
            + "projects, instead of a second", isOnByDefault: false)

    static let accessTokenLifetime: Duration = .seconds(3_600)

    init(services: ContractContext, accessTokens: AccessTokens) throws {
        self.services = services
        self.accessTokens = accessTokens
        refreshTokens = DerivedRefreshTokens(world: services.world, keyring: accessTokens.keyring)
        codes = OneTimeCodes(world: services.world, keyring: accessTokens.keyring)
        gateway = SocotoGateway(keys: SocotoAPIKeys(accessTokens.keyring))
    }

    var contract: Contract {
        Contract(
            id: Self.id, router: Router(routes), accessTokens: accessTokens,
            makeFailureResponse: { error, request in makeFailureResponse(error, to: request) },
            failedChecks: Self.failedChecks,
            finalize: SocotoGateway.finalize,
            clientSettings: { realm in
                let url = ContractInfo.ClientSetting("url", services.rootURL(of: realm))
                do {
                    let keys = try gateway.keys.projectKeys(of: realm)
                    return [url, .init("anonKey", keys.anon), .init("serviceKey", keys.service)]
                } catch {
                    services.world.log(
                        "backend: \(Self.id): the project's keys cannot be signed: \(error)")
                    return [url]
                }
            })
    }

    func isOn(_ featureSwitch: FeatureSwitch, _ realm: Realm) -> Bool {
        services.switches.isOn(featureSwitch, in: realm)
    }

    func realm(_ context: RequestContext) -> Realm { context.realm(Self.id) }
}
