import Backend
import Web

extension SocotoContract {
    var routes: [Route] { authRoutes + restRoutes + pageRoutes }

    private var authRoutes: [Route] {
        [
            authRoute(.get, "/health", Self.health), authRoute(.get, "/settings", Self.settings),
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
            authRoute(.post, "/recover", Self.recover, .json + [.rateLimit]),
            authRoute(.post, "/resend", Self.resend, .json + [.rateLimit]),
            authRoute(.post, "/verify", Self.verify, [.rateLimit] + .json + .code),
            // Links are opened by browsers and keys are public, so these routes need no API key.
            route(.get, "/auth/v1/verify", Self.followLink, [.fields] + .code),
            route(.get, "/auth/v1/authorize", Self.authorize),
            route(.get, "/auth/v1/.well-known/jwks.json", Self.authJWKS),
            route(.get, "/auth/v1/.well-known/openid-configuration", Self.openIDConfiguration),
        ]
    }

    private var restRoutes: [Route] {
        let methods: [Method] = [.get, .post, .patch, .delete]
        return methods.map { method in
            apiKeyRoute(method, "/rest/v1/{table}", Self.profiles, [.fields, .permission, .state])
        }
    }

    private static let bearerChecks: [RequestCheck] =
        .bearer + [.tokenAccount, .accountActive, .session]

    /// The targets of mailed links for which the client named no redirect URL.
    private var pageRoutes: [Route] {
        [
            route(.get, "/site", Self.showSitePage), route(.get, "/reset", Self.showResetForm),
            route(.post, "/reset", Self.reset), route(.get, "/page.css", Self.styleSheet),
        ]
    }

    private func authRoute(
        _ method: Method, _ path: String, _ handler: @escaping Handler,
        _ checks: [RequestCheck] = []
    ) -> Route { apiKeyRoute(method, "/auth/v1\(path)", handler, checks) }

    private func apiKeyRoute(
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
        .authJSON([
            "version": "v2.178.0", "name": "GoTrue",
            "description": "GoTrue is a user registration and authentication API",
        ])
    }

    /// GET /settings: the settings a sign-in screen needs.
    func settings(_ context: RequestContext) async throws -> Response {
        var external = Self.providers.map { JSON.Member($0, false) }
        external.insert(.init("anonymous_users", false), at: 0)
        external += [.init("email", true), .init("phone", false)]
        return .authJSON([
            "external": .object(external), "disable_signup": .bool(!isOn(Self.signups)),
            "mailer_autoconfirm": .bool(!isOn(Self.confirmEmail)), "phone_autoconfirm": false,
            "sms_provider": "", "saml_enabled": false,
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
        var response = Response.authJSON([
            "issuer": .string(issuer),
            "authorization_endpoint": .string(issuer + "/oauth/authorize"),
            "token_endpoint": .string(issuer + "/oauth/token"),
            "userinfo_endpoint": .string(issuer + "/oauth/userinfo"),
            "jwks_uri": .string(issuer + "/.well-known/jwks.json"),
            "response_types_supported": ["code"], "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["ES256"],
        ])
        response.headers["Cache-Control"] = "public, max-age=600"
        return response
    }

    /// GET /authorize: sign-in with an external provider.
    func authorize(_ context: RequestContext) async throws -> Response {
        let provider = context.target.queryValue("provider") ?? ""
        throw GoTrueFailure.invalid(
            Self.providers.contains(provider)
                ? "Unsupported provider: provider is not enabled"
                : "Unsupported provider: Provider \(provider.prefix(40)) could not be found")
    }

    /// None of them is enabled. The real server knows them all as well.
    private static let providers = [
        "apple", "azure", "bitbucket", "discord", "facebook", "figma", "fly", "github", "gitlab",
        "google", "keycloak", "kakao", "linkedin", "linkedin_oidc", "notion", "spotify", "slack",
        "slack_oidc", "workos", "twitch", "twitter", "zoom",
    ]
}
