import Web

extension SocotoContract {
    var routes: [Route] { authRoutes + restRoutes + pageRoutes }

    private var authRoutes: [Route] {
        [
            auth(.get, "/health", health),
            auth(.get, "/settings", settings),
            auth(.post, "/signup", signUp),
            auth(.post, "/token", token),
            auth(.get, "/user", user),
            auth(.put, "/user", updateUser),
            auth(.post, "/logout", logout),
            auth(.post, "/recover", recover),
            auth(.post, "/resend", resend),
            auth(.post, "/verify", verify),
            // Links are opened by browsers, keys looked up by anybody.
            open(.get, "/auth/v1/verify", follow),
            open(.get, "/auth/v1/authorize", authorize),
            open(.get, "/auth/v1/.well-known/jwks.json", jwks),
            open(.get, "/auth/v1/.well-known/openid-configuration", openID),
        ]
    }

    private var restRoutes: [Route] {
        let methods: [Method] = [.get, .post, .patch, .delete]
        return methods.map { method in
            guarded(method, "/rest/v1/{table}", profiles)
        }
    }

    /// What the links of mails lead to if the client named no place.
    private var pageRoutes: [Route] {
        [
            open(.get, "/site", site),
            open(.get, "/reset", resetForm),
            open(.post, "/reset", reset),
            open(.get, "/page.css") { _ in ActionPage.style },
        ]
    }

    private func auth(
        _ method: Method, _ path: String, _ handler: @escaping Route.Handler
    ) -> Route {
        guarded(method, "/auth/v1\(path)", handler)
    }

    private func guarded(
        _ method: Method, _ path: String, _ handler: @escaping Route.Handler
    ) -> Route {
        open(method, path) { [gateway] visit in
            try gateway.check(
                visit.request, visit.target, in: visit.realm(Self.id))
            return try await handler(visit)
        }
    }

    private func open(
        _ method: Method, _ path: String, _ handler: @escaping Route.Handler
    ) -> Route {
        Contract.route(method, Self.id, path, handler)
    }
}
