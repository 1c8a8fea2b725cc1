import Backend
import Web

extension SocotoContract {
    var routes: [Route] { authRoutes + restRoutes + pageRoutes }

    private var authRoutes: [Route] {
        [
            authRoute(.get, "/health", health),
            authRoute(.get, "/settings", settings),
            authRoute(
                .post, "/signup", signUp,
                [.featureEnabled] + .json + [.emailAvailable, .rateLimit]),
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
}
