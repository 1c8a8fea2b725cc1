import Backend
import Simulator
import Support
import Testing
import Web

@testable import Console

/// A real app that signs in via the proxy is tracked like the simulated one: each of the six apps
/// by its own calls.
@Suite(.timeLimit(.minutes(10))) struct CaptureTests {
    private let email = "ines@example.com"
    private let password = "Zq7xGeheim-through"

    @Test func `Mystica is tracked from registration to sign-out`() async throws {
        let app = ProxiedApp(fixture: try await FoyerFixture(), app: "mystica")
        let credentials: JSON = ["email": .string(email), "password": .string(password)]
        #expect(await app.post("/auth/register", credentials).status == 200)
        #expect(await app.state()["screen"] == "verify")
        try await app.followMail(to: email)

        let login = await app.post("/auth/login", credentials)
        #expect(login.status == 200)
        var state = await app.state()
        #expect(state["screen"] == "map")
        #expect(state["session"]?["state"] == "active")
        #expect(state["session"]?["user"]?["email"] == .string(email))
        let token = try #require(login.json["session"]?["access_token"]?.string)
        #expect(await app.stored("mystica_access_token") == token)
        #expect(await app.send(.get, "/auth/me", bearer: token).status == 200)

        let id = state["session"]?["id"]?.string ?? ""
        let observation = app.fixture.simulator.lastObservation(ofSession: id)
        #expect(observation?.call == "me" && observation?.isAccepted == true)

        let oldRefreshToken = login.json["session"]?["refresh_token"] ?? .null
        let refreshed = await app.post("/auth/refresh", ["refresh_token": oldRefreshToken])
        #expect(refreshed.status == 200)
        state = await app.state()
        #expect(state["session"]?["refreshCount"] == 1)
        let newToken = try #require(await app.stored("mystica_access_token"))
        #expect(newToken != token)

        #expect(await app.send(.post, "/auth/logout", bearer: newToken).status < 300)
        state = await app.state()
        #expect(state["screen"] == "login")
        #expect(state["session"] == .null)
        let sessions = await app.fixture.ask(.get, "/api/sessions")
        #expect(sessions.json["items"]?[0]?["state"] == "signedOut")
    }

    @Test func `a reused refresh token ends the session on the device too`() async throws {
        let app = ProxiedApp(fixture: try await FoyerFixture(), app: "mystica")
        let credentials: JSON = ["email": .string(email), "password": .string(password)]
        _ = await app.post("/auth/register", credentials)
        try await app.followMail(to: email)
        let login = await app.post("/auth/login", credentials)
        let first = login.json["session"]?["refresh_token"] ?? .null
        _ = await app.post("/auth/refresh", ["refresh_token": first])
        let current = await app.stored("mystica_refresh_token") ?? ""
        // A replay by another client does not end this device's session …
        app.fixture.frozen.advance(by: 3_600)
        #expect(await app.post("/auth/refresh", ["refresh_token": first]).status >= 400)
        #expect(await app.state()["session"] != .null)
        // … until its own refresh is refused.
        let ownRefresh = await app.post("/auth/refresh", ["refresh_token": .string(current)])
        #expect(ownRefresh.status >= 400)
        #expect(await app.state()["session"] == .null)
        let sessions = await app.fixture.ask(.get, "/api/sessions")
        #expect(sessions.json["items"]?[0]?["state"] == "revoked")
    }

    @Test func `instant play is tracked without a form`() async throws {
        let app = ProxiedApp(fixture: try await FoyerFixture(), app: "mystica-instant")
        let response = await app.post(
            "/auth/register-device", ["device_id": "7B1C6C0E-0000-4000-8000-000000000001"])
        #expect(response.status < 300)
        let state = await app.state()
        #expect(state["screen"] == "map")
        #expect(state["session"]?["state"] == "active")
    }

    @Test func `Bob is tracked up to its projects screen`() async throws {
        let app = ProxiedApp(fixture: try await FoyerFixture(), app: "bob")
        let registration = await app.post(
            "/auth/register",
            [
                "email": .string(email), "password": .string(password), "firstName": "Ines",
                "lastName": "Roth",
            ])
        #expect(registration.status == 201)
        #expect(await app.state()["screen"] == "login")
        let login = await app.post(
            "/auth/login", ["email": .string(email), "password": .string(password)])
        #expect(login.status == 200)
        let state = await app.state()
        #expect(state["screen"] == "projects")
        #expect(state["session"]?["user"]?["email"] == .string(email))
    }

    @Test func `the Wall is tracked by its sign-in code`() async throws {
        let app = ProxiedApp(fixture: try await FoyerFixture(), app: "wall")
        #expect(await app.post("/auth/register", ["email": .string(email)]).status == 200)
        let code = try await app.code(to: email)
        let login = await app.post(
            "/auth/login", ["email": .string(email), "verification_code": .string(code)])
        #expect(login.json["success"] == true)
        let state = await app.state()
        #expect(state["screen"] == "wall")
        #expect(state["session"]?["state"] == "active")
    }

    @Test func `Socoto is tracked by its grant types`() async throws {
        let fixture = try await FoyerFixture()
        let app = ProxiedApp(fixture: fixture, app: "socoto")
        let key = fixture.backend.clientSetting("anonKey", of: "socoto", in: "main") ?? ""
        let apiKey = [("apikey", key)]
        _ = await app.post(
            "/auth/v1/signup",
            [
                "email": .string(email), "password": .string(password),
                "data": ["full_name": "Ines Roth", "role": "student"],
            ], headers: apiKey)
        try await app.followMail(to: email)
        let login = await app.post(
            "/auth/v1/token?grant_type=password",
            ["email": .string(email), "password": .string(password)], headers: apiKey)
        #expect(login.status == 200)
        let signedIn = await app.state()
        #expect(signedIn["session"]?["user"]?["email"] == .string(email))
        let refreshed = await app.post(
            "/auth/v1/token?grant_type=refresh_token",
            ["refresh_token": login.json["refresh_token"] ?? .null], headers: apiKey)
        #expect(refreshed.status == 200)
        #expect(await app.state()["session"]?["refreshCount"] == 1)
        let signOut = await app.send(
            .post, "/auth/v1/logout?scope=local", bearer: refreshed.json["access_token"]?.string,
            headers: apiKey)
        #expect(signOut.status == 204)
        #expect(await app.state()["session"] == .null)
    }

    @Test func `CLARITY is tracked below Google's paths`() async throws {
        let app = ProxiedApp(fixture: try await FoyerFixture(), app: "clarity")
        let identity = "/identitytoolkit.googleapis.com/v1/accounts:"
        let credentials: JSON = [
            "email": .string(email), "password": .string("Zq7xGeheim-1A"),
            "returnSecureToken": true,
        ]
        #expect(await app.post(identity + "signUp?key=fake-api-key", credentials).status == 200)
        let login = await app.post(identity + "signInWithPassword?key=fake-api-key", credentials)
        #expect(login.status == 200)
        let state = await app.state()
        #expect(state["session"]?["state"] == "active")
        #expect(state["session"]?["user"]?["email"] == .string(email))
        // Within the same second the backend issues the same token.
        app.fixture.frozen.advance(by: 2)
        let refreshed = await app.send(
            .post, "/securetoken.googleapis.com/v1/token?key=fake-api-key",
            form: [
                ("grant_type", "refresh_token"),
                ("refresh_token", login.json["refreshToken"]?.string ?? ""),
            ])
        #expect(refreshed.status == 200)
        #expect(await app.state()["session"]?["refreshCount"] == 1)
    }
}
