import Apps
import Testing

/// States and edges that are derived from a manifest.
@Suite(.timeLimit(.minutes(10))) struct ManifestAnalysisTests {
    @Test func `Mystica's states follow from its rules, calls and texts`() throws {
        let app = try Manifests.bundled("mystica")
        func states(_ screen: String) throws -> [String] {
            app.states(of: try #require(app.screen(screen)))
        }
        #expect(
            try states("splash") == [
                "default", "offline", "timeout", "connection", "invalidResponse", "failed",
            ])
        #expect(
            try states("login") == [
                "default", "error.email", "error.password", "loading.submit",
                "failure.login.3", "failure.submit", "offline.submit",
                "timeout.submit", "connection.submit",
                "invalidResponse.submit", "session-expired",
            ])
        #expect(
            try states("verify") == [
                "default", "loading.resend", "toast.resend", "login.failure.login.1",
            ])
        #expect(try states("map") == ["default", "unloaded.me"])
        #expect(try states("settings") == ["default", "confirm.logout", "loading.logout"])
    }

    @Test(arguments: [
        (
            "bob", "splash",
            ["offline", "timeout", "connection", "invalidResponse", "failed"]
        ),
        ("bob", "settings", ["unloaded.me", "login.skip"]),
        ("bob", "login", ["register.failure.register.1"]),
        ("clarity", "dashboard", ["loading.offline", "loading.invalidResponse", "loading.failed"]),
        ("clarity", "settings", ["unloaded.lookup", "unloaded.profile"]),
        ("socoto", "profile", ["unloaded.profile", "signup.role.business_owner"]),
        ("wall", "wall", ["unloaded.posts", "write.submit"]),
    ])
    func `what other screens, a launch or a load lead to are states of the screen shown then`(
        app: String, screen: String, states: [String]
    ) throws {
        let app = try Manifests.bundled(app)
        let found = app.screenStates(of: try #require(app.screen(screen))).filter { state in
            switch state.cause {
            case .network(App.launchActionName, _), .unknownFailure(App.launchActionName),
                .loadFailure:
                true
            default: state.origin != nil
            }
        }
        #expect(found.map(\.name) == states)
    }

    @Test(arguments: ["mystica", "mystica-instant"])
    func `every screen of Mystica's two apps has states and an edge to it`(id: String) throws {
        let app = try Manifests.bundled(id)
        expectComplete(app)
    }

    @Test(arguments: ["bob", "wall", "socoto", "clarity"])
    func `every screen of the other apps has states and an edge to it`(id: String) throws {
        let app = try Manifests.bundled(id)
        expectComplete(app)
    }

    private func expectComplete(_ app: App) {
        let ids = Set(app.screens.map(\.id))
        for screen in app.screens {
            let states = app.states(of: screen)
            #expect(states.first == "default")
            #expect(Set(states).count == states.count)
            #expect(
                screen.kind == .launch || app.edges.contains { $0.to == screen.id },
                "no edge leads to \(screen.id)")
        }
        for edge in app.edges {
            #expect(ids.contains(edge.from) && ids.contains(edge.to))
            #expect(!edge.label.isEmpty)
        }
        #expect(Set(app.edges).count == app.edges.count)
    }

    @Test func `an edge has its trigger as label and kind`() throws {
        let edges = try Manifests.bundled("mystica").edges
        #expect(edges.contains(Edge(from: "login", to: "map", label: "Login", kind: .submit)))
        #expect(
            edges.contains(Edge(from: "login", to: "verify", label: "unverified", kind: .failure)))
        #expect(edges.contains(Edge(from: "login", to: "register", label: "Register", kind: .tab)))
        #expect(
            edges.contains(
                Edge(from: "map", to: "login", label: "session expired", kind: .sessionExpired)))
    }

    @Test func `a disabled button, a dialog and a notice are states`() throws {
        let wall = try Manifests.bundled("wall")
        let login = wall.states(of: try #require(wall.screen("login")))
        #expect(login.contains("disabled.submit"))
        #expect(login.contains("disabled.getCode"))
        #expect(login.contains("notice.getCode"))
        let register = wall.states(of: try #require(wall.screen("register")))
        #expect(register.contains("alert.submit"))
    }
}
