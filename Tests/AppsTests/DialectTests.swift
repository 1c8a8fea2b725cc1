import Apps
import Testing
import Web

/// What a manifest says once for many calls, or not at all for a backend.
@Suite(.timeLimit(.minutes(10))) struct DialectTests {
    private static let local = "local: { base: 'http://localhost:3000' },"

    private func answer(_ status: Int, _ body: String) -> UpstreamResponse {
        UpstreamResponse(status: status, body: Array(body.utf8))
    }

    @Test func `a backend like another speaks its dialect, but for its own`() throws {
        let app = try Manifests.app(
            (
                Self.local,
                """
                local: {
                  base: 'http://localhost:3000',
                  calls: {
                    login: { request: { method: 'POST', path: '/sign-in' } },
                    me: null,
                  },
                },
                far: { base: 'https://far.example.com', like: 'local',
                       calls: { me: { request: { method: 'GET', path: '/who' } } } },
                near: { base: 'http://localhost:4000', like: 'local',
                        calls: { login: null } },
                """
            ))
        #expect(app.call("login", backend: "far")?.request.path == "/sign-in")
        #expect(app.call("me", backend: "far")?.request.path == "/who")
        #expect(!app.isCallMissing("me", backend: "far"))
        #expect(app.isCallMissing("me", backend: "local"))
        #expect(app.isCallMissing("me", backend: "near"))
        #expect(app.isCallMissing("login", backend: "near"))
        let submit = try #require(app.screen("login")?.submitAction)
        #expect(app.canPerform(submit, backend: "local"))
        #expect(!app.canPerform(submit, backend: "near"))
    }

    @Test(arguments: [
        InvalidManifest(
            local, "local: { base: 'http://localhost:3000', like: 'local' },",
            at: "backends.local.like", says: "no other backend"),
        InvalidManifest(
            local, "local: { base: 'http://localhost:3000', like: 'embeded' },",
            at: "backends.local.like", says: "Did you mean embedded?"),
        InvalidManifest(
            local, "local: { base: 'http://localhost:3000', calls: { mee: null } },",
            at: "backends.local.calls.mee", says: "Did you mean me?"),
        InvalidManifest(
            "load: ['me'],", "load: ['me'], goWhen: [{ go: 'hom' }],",
            at: "screens.home.goWhen.0.go", says: "Did you mean home?"),
        InvalidManifest(
            "text: 'Hello {email}' },",
            "text: 'Hello {email}', goWhen: [{ go: 'other' }] },"
                + " other: { kind: 'page', title: 'O', goWhen: [{ go: 'register' }] },",
            at: "screens.register.goWhen.0.go", says: "circle"),
        InvalidManifest(
            "submit: { label: 'Login'",
            "actions: { check: { label: 'Check' } }, submit: { label: 'Login'",
            at: "screens.login.actions.check", says: "form's own"),
        InvalidManifest(
            "message: 'No', field: 'password'", "passes: true, message: 'No'",
            at: "calls.login.failures.0", says: "passes"),
    ]) func `what cannot be is refused`(mistake: InvalidManifest) throws {
        try mistake.expectError()
    }

    @Test func `failures told once come after each call's own`() throws {
        let app = try Manifests.app(
            (
                "session: { refresh",
                """
                failures: [{ status: [401, 409], message: 'All' },
                           { status: [404], passes: true }],
                session: { refresh
                """
            ))
        let login = try #require(app.calls["login"])
        guard case .failure(let own, _, _) = login.interpret(answer(401, "{}")),
            case .failure(let shared, _, _) = login.interpret(answer(409, "{}"))
        else {
            Issue.record("no failure")
            return
        }
        #expect(own?.message == "No")
        #expect(shared?.message == "All")
        // Nobody is told that there was nothing.
        #expect(login.interpret(answer(404, "{}")) == .success(captured: [:]))
    }

    @Test(arguments: [
        ("https://other.example.com/", "https://other.example.com/login"),
        ("/below", "http://localhost:3000/api/below/login"),
        ("/", "http://localhost:3000/api/login"), ("", "http://localhost:3000/api/login"),
    ]) func `a call's own base may be a path below the backend's`(setting: String, url: String)
        throws
    {
        let app = try Manifests.app(
            ("method: 'POST', path: '/login',", "method: 'POST', base: '{apiKey}', path: '/login',")
        )
        let login = try #require(app.calls["login"])
        let request = try login.makeRequest(
            base: "http://localhost:3000/api/", variables: Variables(["apiKey": .string(setting)]),
            timeout: .seconds(1))
        #expect(request.url == url)
    }

    @Test func `a path that leaves the backend's base is refused`() throws {
        let app = try Manifests.app(
            ("method: 'POST', path: '/login',", "method: 'POST', base: '{apiKey}', path: '/login',")
        )
        let login = try #require(app.calls["login"])
        #expect(throws: Problem.self) {
            try login.makeRequest(
                base: "http://localhost:3000/api", variables: Variables(["apiKey": "/../admin"]),
                timeout: .seconds(1))
        }
    }

    @Test func `a token is carried wherever it stands`() throws {
        let app = try Manifests.app(
            ("json: { token: '{refreshToken}' }", "form: { a: 'x{refreshToken}' }"))
        let refresh = try #require(app.calls["refresh"]?.request)
        #expect(refresh.carries("refreshToken"))
        #expect(!refresh.carries("accessToken"))
        #expect(app.calls["me"]?.request.carries("accessToken") == true)
    }
}
