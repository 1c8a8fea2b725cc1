import Web

extension SocotoContract {
    var routes: [Route] { authRoutes + restRoutes + pageRoutes }

    private var authRoutes: [Route] {
        [
            auth(.get, "/health", health),
            auth(.get, "/settings", settings),
            auth(
                .post, "/signup", signUp,
                [.setting] + .json + [.addressFree, .limit]),
            // What else depends on what is exchanged.
            auth(.post, "/token", token, [.limit]),
            auth(.get, "/user", user, Self.holder),
            auth(
                .put, "/user", updateUser,
                Self.holder + .json + [.state, .addressFree, .limit]),
            auth(.post, "/logout", logout, Self.holder),
            auth(.post, "/recover", recover, .json + [.limit]),
            auth(.post, "/resend", resend, .json + [.limit]),
            auth(.post, "/verify", verify, [.limit] + .json + .code),
            // Links are opened by browsers, keys looked up by anybody.
            open(.get, "/auth/v1/verify", follow, [.fields] + .code),
            open(.get, "/auth/v1/authorize", authorize),
            open(.get, "/auth/v1/.well-known/jwks.json", jwks),
            open(.get, "/auth/v1/.well-known/openid-configuration", openID),
        ]
    }

    private var restRoutes: [Route] {
        let methods: [Method] = [.get, .post, .patch, .delete]
        return methods.map { method in
            guarded(method, "/rest/v1/{table}", profiles, [.fields, .permission, .state])
        }
    }

    private static let holder: [Check] = .bearer + [.holder, .standing, .session]

    /// What the links of mails lead to if the client named no place.
    private var pageRoutes: [Route] {
        [
            open(.get, "/site", site),
            open(.get, "/reset", resetForm),
            open(.post, "/reset", reset),
            open(.get, "/page.css", { _ in ActionPage.style }),
        ]
    }

    private func auth(
        _ method: Method, _ path: String, _ handler: @escaping Route.Handler, _ checks: [Check] = []
    ) -> Route { guarded(method, "/auth/v1\(path)", handler, checks) }

    private func guarded(
        _ method: Method, _ path: String, _ handler: @escaping Route.Handler, _ checks: [Check]
    ) -> Route {
        let asked: Route.Handler = { [gateway] visit in
            try gateway.check(visit.request, visit.target, in: visit.realm(Self.id))
            return try await handler(visit)
        }
        return open(method, path, asked, [.key] + checks)
    }

    private func open(
        _ method: Method, _ path: String, _ handler: @escaping Route.Handler, _ checks: [Check] = []
    ) -> Route { Contract.route(method, Self.id, path, handler, checks: checks) }
}
