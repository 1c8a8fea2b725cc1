import Apps
import Testing
import Web

/// Calls that a backend overrides or lacks, and failures shared by all calls.
@Suite(.timeLimit(.minutes(10))) struct DialectTests {
    private static let localBackend = "local: { base: 'http://localhost:3000' },"

    private func response(_ status: Int, _ body: String) -> UpstreamResponse {
        UpstreamResponse(status: status, body: Array(body.utf8))
    }

    @Test func `a backend inherits another's calls and may replace or remove them`() throws {
        let app = try Manifests.app(
            (
                Self.localBackend,
                """
                local: {
                  base: 'http://localhost:3000',
                  calls: {
                    login: { request: { method: 'POST', path: '/sign-in' } },
                    me: null,
                  },
                },
                far: { base: 'https://far.example.com', extends: 'local',
                       calls: { me: { request: { method: 'GET', path: '/who' } } } },
                near: { base: 'http://localhost:4000', extends: 'local',
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
            localBackend, "local: { base: 'http://localhost:3000', extends: 'local' },",
            at: "backends.local.extends", message: "No other backend"),
        InvalidManifest(
            localBackend, "local: { base: 'http://localhost:3000', extends: 'embeded' },",
            at: "backends.local.extends", message: "Did you mean embedded?"),
        InvalidManifest(
            localBackend, "local: { base: 'http://localhost:3000', calls: { mee: null } },",
            at: "backends.local.calls.mee", message: "Did you mean me?"),
        InvalidManifest(
            "load: ['me'],", "load: ['me'], goWhen: [{ go: 'hom' }],",
            at: "screens.home.goWhen.0.go", message: "Did you mean home?"),
        InvalidManifest(
            "text: 'Hello {email}' },",
            "text: 'Hello {email}', goWhen: [{ go: 'other' }] },"
                + " other: { kind: 'page', title: 'O', goWhen: [{ go: 'register' }] },",
            at: "screens.register.goWhen.0.go", message: "redirect loop"),
        InvalidManifest(
            "text: 'Hello {email}' },",
            "text: 'Hello {email}', goWhen: [{ go: 'other' }] },"
                + " other: { kind: 'page', title: 'O', goWhen: [{ go: 'third' }] },"
                + " third: { kind: 'page', title: 'T', goWhen: [{ go: 'register' }] },",
            at: "screens.register.goWhen.0.go", message: "redirect loop"),
        InvalidManifest(
            "submit: { label: 'Login'",
            "actions: { check: { label: 'Check' } }, submit: { label: 'Login'",
            at: "screens.login.actions.check", message: "Reserved action name"),
        InvalidManifest(
            "submit: { label: 'Login'",
            "actions: { refresh: { label: 'Refresh' } }, submit: { label: 'Login'",
            at: "screens.login.actions.refresh", message: "Reserved action name"),
        InvalidManifest(
            "message: 'No', field: 'password'", "treatAsSuccess: true, message: 'No'",
            at: "calls.login.failures.0", message: "treatAsSuccess"),
    ]) func `invalid references and contradictory entries are refused`(mistake: InvalidManifest)
        throws
    {
        try mistake.expectError()
    }

    @Test func `shared failures are matched after each call's own`() throws {
        let app = try Manifests.app(
            (
                "session: { refresh",
                """
                failures: [{ status: [401, 409], message: 'All' },
                           { status: [404], treatAsSuccess: true }],
                session: { refresh
                """
            ))
        let login = try #require(app.calls["login"])
        guard case .failure(let callFailure, _, _) = login.interpret(response(401, "{}")),
            case .failure(let sharedFailure, _, _) = login.interpret(response(409, "{}"))
        else {
            Issue.record("no failure")
            return
        }
        #expect(callFailure?.message == "No")
        #expect(sharedFailure?.message == "All")
        // `treatAsSuccess` makes the status a success.
        #expect(login.interpret(response(404, "{}")) == .success(captured: [:]))
    }

    @Test(arguments: [
        ("https://other.example.com/", "https://other.example.com/login"),
        ("/below", "http://localhost:3000/api/below/login"),
        ("/", "http://localhost:3000/api/login"), ("", "http://localhost:3000/api/login"),
    ]) func `a call's own base is a URL or a path below the backend's base`(
        setting: String, url: String
    )
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

    @Test func `a request carries the tokens of its form and its bearer`() throws {
        let app = try Manifests.app(
            ("json: { token: '{refreshToken}' }", "form: { a: 'x{refreshToken}' }"))
        let refresh = try #require(app.calls["refresh"]?.request)
        #expect(refresh.carries("refreshToken"))
        #expect(!refresh.carries("accessToken"))
        #expect(app.calls["me"]?.request.carries("accessToken") == true)
    }
}
