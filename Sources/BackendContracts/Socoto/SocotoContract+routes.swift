import Backend
import Web

extension SocotoContract {
    var routes: [Route] { authRoutes + restRoutes + pageRoutes }

    private var authRoutes: [Route] {
        [
            authRoute(.get, "/health", health),
            authRoute(.get, "/settings", settings),
            authRoute(
                .post, "/signup", signUp, [.featureEnabled] + .json + [.emailAvailable, .rateLimit]),
            // The other checks depend on the grant type.
            authRoute(.post, "/token", token, [.rateLimit]),
            authRoute(.get, "/user", user, Self.bearerChecks),
            authRoute(
                .put, "/user", updateUser,
                Self.bearerChecks + .json + [.state, .emailAvailable, .rateLimit]),
            authRoute(.post, "/logout", logout, Self.bearerChecks),
            authRoute(.post, "/recover", recover, .json + [.rateLimit]),
            authRoute(.post, "/resend", resend, .json + [.rateLimit]),
            authRoute(.post, "/verify", verify, [.rateLimit] + .json + .code),
            // Links are opened by browsers and keys are public, so these routes need no API key.
            route(.get, "/auth/v1/verify", followLink, [.fields] + .code),
            route(.get, "/auth/v1/authorize", authorize),
            route(.get, "/auth/v1/.well-known/jwks.json", authJWKS),
            route(.get, "/auth/v1/.well-known/openid-configuration", openIDConfiguration),
        ]
    }

    private var restRoutes: [Route] {
        let methods: [Method] = [.get, .post, .patch, .delete]
        return methods.map { method in
            apiKeyRoute(method, "/rest/v1/{table}", profiles, [.fields, .permission, .state])
        }
    }

    private static let bearerChecks: [RequestCheck] =
        .bearer + [.tokenAccount, .accountActive, .session]

    /// The targets of mailed links for which the client named no redirect URL.
    private var pageRoutes: [Route] {
        [
            route(.get, "/site", showSitePage),
            route(.get, "/reset", showResetForm),
            route(.post, "/reset", reset),
            route(.get, "/page.css", { _ in EmailActionPage.styleSheetResponse }),
        ]
    }

    private func authRoute(
        _ method: Method, _ path: String, _ handler: @escaping Route.Handler,
        _ checks: [RequestCheck] = []
    ) -> Route { apiKeyRoute(method, "/auth/v1\(path)", handler, checks) }

    private func apiKeyRoute(
        _ method: Method, _ path: String, _ handler: @escaping Route.Handler,
        _ checks: [RequestCheck]
    ) -> Route {
        let checkedHandler: Route.Handler = { context in
            try gateway.check(context.request, context.target, in: realm(context))
            return try await handler(context)
        }
        return route(method, path, checkedHandler, [.apiKey] + checks)
    }

    // MARK: Endpoints that describe the auth server

    /// GET /health.
    @Sendable func health(_ context: RequestContext) async throws -> Response {
        .authJSON([
            "version": "v2.178.0", "name": "GoTrue",
            "description": "GoTrue is a user registration and authentication API",
        ])
    }

    /// GET /settings: the settings a sign-in screen needs.
    @Sendable func settings(_ context: RequestContext) async throws -> Response {
        let realm = realm(context)
        var external = Self.providers.map { JSON.Member($0, false) }
        external.insert(.init("anonymous_users", false), at: 0)
        external += [.init("email", true), .init("phone", false)]
        return .authJSON([
            "external": .object(external), "disable_signup": .bool(!isOn(Self.signups, realm)),
            "mailer_autoconfirm": .bool(!isOn(Self.confirmEmail, realm)),
            "phone_autoconfirm": false, "sms_provider": "", "saml_enabled": false,
        ])
    }

    /// GET /.well-known/jwks.json, with the `key_ops` that the real server adds to its keys.
    @Sendable func authJWKS(_ context: RequestContext) async throws -> Response {
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
    @Sendable func openIDConfiguration(_ context: RequestContext) async throws -> Response {
        let issuer = issuer(of: realm(context))
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
    @Sendable func authorize(_ context: RequestContext) async throws -> Response {
        let provider = context.target.queryValue("provider") ?? ""
        throw SocotoAuthFailure.invalid(
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
