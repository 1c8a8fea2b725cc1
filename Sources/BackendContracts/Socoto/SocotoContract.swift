import Backend
import Core
import Crypto
import SQLite
import Web

/// Socoto's server: Supabase's two servers as their clients know them.
///
/// Sign-in is GoTrue's, the table `profiles` PostgREST's. Both are behind a gateway that requires
/// the project's API key.
struct SocotoContract: Contract {
    var realm = Realm(workspace: "", contract: id)
    let services: ContractContext
    let accessTokens: AccessTokens
    let refreshTokens: DerivedRefreshTokens
    let apiKeys: ProjectAPIKeys

    static let id = "socoto"

    /// Access tokens can be verified with a public key. Project keys and derived secrets can only
    /// be made with this contract's own keys.
    static let keyAlgorithms: [Keyring.Role: SigningKey.Algorithm] = [
        .access: .es256, .project: .hs256, .code: .hs256,
    ]

    static let clientName: String? = "supabase"
    static let rootPaths: Set = ["auth", "rest"]
    static let switches = [confirmEmail, signups, limitsMailToOnePerMinute]
    static let supportedFaults = Set(FaultHooks.Kind.allCases)

    static let confirmEmail = FeatureSwitch(
        name: "confirmEmail", text: "New accounts must confirm their email before they can sign in",
        isOnByDefault: true)
    static let signups = FeatureSwitch(
        name: "signups", text: "Sign-ups are enabled", isOnByDefault: true)
    static let limitsMailToOnePerMinute = FeatureSwitch(
        name: "mailEveryMinute",
        text: "One mail per address per minute, as in hosted "
            + "projects, instead of one per second", isOnByDefault: false)

    static let accessTokenLifetime: Duration = .seconds(3_600)

    init(services: ContractContext, accessTokens: AccessTokens) throws {
        self.services = services
        self.accessTokens = accessTokens
        refreshTokens = DerivedRefreshTokens(world: services.world, keyring: accessTokens.keyring)
        apiKeys = ProjectAPIKeys(accessTokens.keyring)
    }

    func clientSettings(in realm: Realm) -> [ContractInfo.ClientSetting] {
        let url = ContractInfo.ClientSetting("url", rootURL)
        do {
            let keys = try apiKeys.projectKeys(of: realm)
            return [url, .init("anonKey", keys.anon), .init("serviceKey", keys.service)]
        } catch {
            services.world.log("backend: \(Self.id): the project's keys cannot be signed: \(error)")
            return [url]
        }
    }
}

/// Rate limits per client address, as at the real server.
extension SocotoContract {
    static let tokenRequestLimit = RateLimit(name: "token", count: 150, window: .seconds(300))
    static let verifyRequestLimit = RateLimit(name: "verify", count: 30, window: .seconds(300))

    /// Counts a request before anything asynchronous, so that concurrent requests cannot pass the
    /// limit while a hash is computed.
    func checkRateLimit(_ context: RequestContext, _ limit: RateLimit) throws {
        try count(limit, of: context.request.peer, failure: GoTrueFailure.tooManyRequests)
    }
}

extension SocotoContract {
    /// GET /user.
    func user(_ context: RequestContext) async throws -> Response {
        let account = try await authenticateBearer(context).account
        return .authJSON(SocotoUser(account).userObject(account))
    }

    /// POST /logout: of every session, of this one, or of the others.
    func logout(_ context: RequestContext) async throws -> Response {
        let (account, session) = try await authenticateBearer(context)
        let scope = context.target.queryValue("scope") ?? "global"
        guard ["global", "local", "others"].contains(scope) else {
            throw GoTrueFailure.invalid("Unsupported logout scope \"\(scope.prefix(40))\"")
        }
        let now = now
        try await database.write { connection in
            guard scope != "local" else {
                return try connection.revoke(session: session.id, reason: .signedOut, at: now)
            }
            try connection.revokeSessions(
                of: account.id, except: scope == "others" ? session.id : nil, reason: .signedOut,
                at: now)
        }
        return Response(status: 204)
    }
}
