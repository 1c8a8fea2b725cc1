import Secrets
import Surroundings
import Web

/// Socoto's server: Supabase's two, as their own clients know them. Sign-in
/// is GoTrue's, the table `profiles` PostgREST's; both stand behind a
/// gateway that asks for the project's key.
struct SocotoContract: Sendable {
    let premises: Premises
    let tokens: AccessTokens
    let chain: RefreshChain
    let codes: Codes
    let gateway: SocotoGateway

    static let id = "socoto"

    /// Access tokens can be checked by anybody; the project's keys and what
    /// is derived can be made here alone.
    static let keys: [Keyring.Role: SigningKey.Algorithm] = [
        .access: .es256, .project: .hs256, .code: .hs256,
    ]

    static let blueprint = Contract.Blueprint(
        id: id, keys: keys, client: "supabase", natives: ["auth", "rest"],
        switches: [confirmEmail, signups, mailEveryMinute], troubles: Set(Trouble.Kind.allCases),
        people: people
    ) { try SocotoContract(premises: $0, tokens: $1).contract }

    static let confirmEmail = Switch(
        name: "confirmEmail", text: "New accounts follow a mailed link before they can sign in",
        isOnAtFirst: true)
    static let signups = Switch(
        name: "signups", text: "New accounts can be made", isOnAtFirst: true)
    static let mailEveryMinute = Switch(
        name: "mailEveryMinute",
        text: "Mails to one address are a minute apart, as at hosted "
            + "projects, instead of a second", isOnAtFirst: false)

    static let accessLife: Duration = .seconds(3_600)

    init(premises: Premises, tokens: AccessTokens) throws {
        self.premises = premises
        self.tokens = tokens
        chain = RefreshChain(world: premises.world, keyring: tokens.keyring)
        codes = Codes(world: premises.world, keyring: tokens.keyring)
        gateway = SocotoGateway(keys: SocotoKeys(tokens.keyring))
    }

    var contract: Contract {
        Contract(
            id: Self.id, router: Router(routes), tokens: tokens,
            failure: { error, request in answer(error, to: request) }, blame: Self.checks,
            dress: SocotoGateway.dress,
            facts: { realm in
                let url = Service.Fact("url", premises.root(of: realm))
                do {
                    let keys = try gateway.keys.pair(of: realm)
                    return [url, .init("anonKey", keys.anon), .init("serviceKey", keys.service)]
                } catch {
                    premises.world.log(
                        "backend: \(Self.id): the project's keys cannot be signed: \(error)")
                    return [url]
                }
            })
    }

    func isOn(_ given: Switch, _ realm: Realm) -> Bool { premises.switches.isOn(given, in: realm) }

    func realm(_ visit: Visit) -> Realm { visit.realm(Self.id) }
}
