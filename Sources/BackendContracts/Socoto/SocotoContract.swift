import Backend
import Core
import Crypto
import SQLite
import Web

/// Socoto's server: Supabase's two servers as their clients know them.
///
/// Sign-in is GoTrue's, its tables PostgREST's. Both are behind a gateway that requires
/// the project's API key.
struct SocotoContract: Contract {
    let services: ContractContext
    let accessTokens: AccessTokens
    var realm: Realm
    let refreshTokens: DerivedRefreshTokens
    let apiKeys: ProjectAPIKeys

    static let id = "socoto"

    /// Access tokens can be verified with a public key. Project keys and derived secrets can only
    /// be made with this contract's own keys.
    static let keyAlgorithms: [Keyring.Role: SigningKey.Algorithm] = [
        .access: .es256, .project: .hs256, .code: .hs256, .provider: .es256,
    ]

    static let clientName: String? = "supabase"
    static let rootPaths: Set = ["auth", "rest"]
    static let supportedFaults = Set(FaultHooks.Kind.allCases)

    static let accessTokenLifetime: Duration = .seconds(3_600)

    init(services: ContractContext, accessTokens: AccessTokens, realm: Realm) throws {
        self.services = services
        self.accessTokens = accessTokens
        self.realm = realm
        refreshTokens = DerivedRefreshTokens(world: services.world, keyring: accessTokens.keyring)
        apiKeys = ProjectAPIKeys(accessTokens.keyring)
    }

    var clientSettings: [ContractInfo.ClientSetting] {
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

extension SocotoContract {
    /// GET /user.
    func user(_ context: RequestContext) async throws -> Response {
        let account = try await authenticateBearer(context).account
        // The header names an audience; without it the user's own one is meant.
        guard
            context.request.headers["X-JWT-AUD"] ?? "" == ""
                || audience(context) == SocotoUser(account).details.audience
        else { throw GoTrueFailure.wrongAudience }
        return .plainJSON(SocotoUser(account).userObject(account))
    }

    /// POST /logout: of every session, of this one, or of the others.
    func logout(_ context: RequestContext) async throws -> Response {
        let (account, session) = try await authenticateBearer(context)
        let scope = context.target.queryValue("scope") ?? "global"
        guard ["global", "local", "others"].contains(scope) else {
            throw GoTrueFailure.invalid("Unsupported logout scope \"\(scope.prefix(40))\"")
        }
        try await write { connection, now in
            try record(.logout, by: account, on: connection, at: now)
            guard scope != "local" else {
                return try connection.revoke(session: session.id, reason: .signedOut, at: now)
            }
            try connection.revokeSessions(
                of: account.id, except: scope == "others" ? session.id : nil, reason: .signedOut,
                at: now)
        }
        return Response(status: 204)
    }

    var routes: [Route] {
        authRoutes + adminRoutes + disabledFeatureRoutes + factorRoutes
            + factorAdministrationRoutes + providerRoutes + restRoutes + pageRoutes
    }

    private var authRoutes: [Route] {
        [
            authRoute(.get, "/health", Self.health),
            authRoute(.get, "/settings", Self.settings),
            authRoute(
                .post, "/signup", Self.signUp,
                [.featureEnabled] + .json + [.emailAvailable, .rateLimit]),
            // The other checks depend on the grant type.
            authRoute(.post, "/token", Self.token, [.rateLimit]),
            authRoute(.get, "/user", Self.user, Self.bearerChecks),
            authRoute(
                .put, "/user", Self.updateUser,
                Self.bearerChecks + .json + [.state, .emailAvailable, .rateLimit]),
            authRoute(.post, "/logout", Self.logout, Self.bearerChecks),
            authRoute(
                .get, "/reauthenticate", Self.reauthenticate, Self.bearerChecks + [.rateLimit]),
            authRoute(.post, "/recover", Self.recover, .json + [.rateLimit]),
            authRoute(.post, "/otp", Self.otp, .json + [.featureEnabled, .rateLimit]),
            authRoute(.post, "/magiclink", Self.magicLink, .json + [.featureEnabled, .rateLimit]),
            authRoute(.post, "/resend", Self.resend, .json + [.rateLimit]),
            // The gateway requires no API key here: links are opened by browsers, keys are public.
            route(.post, "/auth/v1/verify", Self.verify, [.rateLimit] + .json + .code),
            route(.get, "/auth/v1/verify", Self.followLink, [.fields] + .code),
            route(.get, "/auth/v1/.well-known/jwks.json", Self.authJWKS),
            route(.get, "/auth/v1/.well-known/openid-configuration", Self.openIDConfiguration),
        ]
    }

    static let bearerChecks: [RequestCheck] =
        .bearer + [.tokenAccount, .session, .accountActive]

    /// The targets of mailed links for which the client named no redirect URL.
    private var pageRoutes: [Route] {
        [
            route(.get, "/site", Self.showSitePage),
            route(.post, "/reset", Self.reset),
            route(.get, "/page.css", Self.styleSheet),
        ]
    }

    func authRoute(
        _ method: Method, _ path: String, _ handler: @escaping Handler,
        _ checks: [RequestCheck] = []
    ) -> Route { apiKeyRoute(method, "/auth/v1\(path)", handler, checks) }

    func apiKeyRoute(
        _ method: Method, _ path: String, _ handler: @escaping Handler, _ checks: [RequestCheck]
    ) -> Route {
        let checkedHandler: Handler = { contract in
            { context in
                try contract.checkAPIKey(context.request, context.target)
                return try await handler(contract)(context)
            }
        }
        return route(method, path, checkedHandler, [.apiKey] + checks)
    }

    // MARK: Endpoints that describe the auth server

    /// GET /health.
    func health(_ context: RequestContext) async throws -> Response {
        .plainJSON([
            "version": "v2.178.0", "name": "GoTrue",
            "description": "GoTrue is a user registration and authentication API",
        ])
    }

    /// GET /settings: the settings a sign-in screen needs.
    func settings(_ context: RequestContext) async throws -> Response {
        var external = providerSettings
        external.insert(.init("anonymous_users", .bool(isOn(Self.anonymousUsers))), at: 0)
        external += [
            .init("email", .bool(isOn(Self.emailSignIns))),
            .init("phone", .bool(isOn(Self.phoneSignIns))),
        ]
        return .plainJSON([
            "external": .object(external), "disable_signup": .bool(!isOn(Self.signups)),
            "mailer_autoconfirm": .bool(!isOn(Self.confirmEmail)),
            "phone_autoconfirm": .bool(isOn(Self.confirmsPhonesAtOnce)), "sms_provider": "",
            "saml_enabled": false, "saml_private_key_next_configured": false,
            "passkeys_enabled": false,
        ])
    }

    /// GET /.well-known/jwks.json, with the `key_ops` that the real server adds to its keys.
    func authJWKS(_ context: RequestContext) async throws -> Response {
        var response = try await jwks(context)
        guard case .bytes(let bytes) = response.body,
            case .array(let keys)? = try JSON(parsing: bytes)["keys"]
        else { return response }
        let extendedKeys = keys.map { key -> JSON in
            guard case .object(let members) = key else { return key }
            return .object(members + [.init("key_ops", ["verify"])])
        }
        response.body = .bytes(JSON.object([.init("keys", .array(extendedKeys))]).bytes)
        return response
    }

    /// GET /.well-known/openid-configuration.
    func openIDConfiguration(_ context: RequestContext) async throws -> Response {
        let issuer = issuer
        var response = Response.plainJSON([
            "issuer": .string(issuer),
            "authorization_endpoint": .string(issuer + "/oauth/authorize"),
            "token_endpoint": .string(issuer + "/oauth/token"),
            "userinfo_endpoint": .string(issuer + "/oauth/userinfo"),
            "jwks_uri": .string(issuer + "/.well-known/jwks.json"),
            "scopes_supported": ["openid", "profile", "email", "phone", "offline_access"],
            "response_types_supported": ["code"], "response_modes_supported": ["query"],
            "grant_types_supported": ["authorization_code", "refresh_token"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256", "HS256", "ES256"],
            "token_endpoint_auth_methods_supported": [
                "client_secret_basic", "client_secret_post", "none",
            ],
            "claims_supported": [
                "sub", "aud", "iss", "exp", "iat", "auth_time", "nonce", "email",
                "email_verified", "phone_number", "phone_number_verified", "name", "picture",
                "preferred_username", "updated_at",
            ], "code_challenge_methods_supported": ["S256", "plain"],
        ])
        response.headers["Cache-Control"] = "public, max-age=600"
        return response
    }
}
