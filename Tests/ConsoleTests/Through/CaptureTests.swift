import Backend
import Simulator
import Support
import Testing
import Web

@testable import Console

/// A real app that signs in through the console is seen as if the simulated
/// one had done it: each of the six by the calls of its own.
@Suite(.timeLimit(.minutes(10))) struct CaptureTests {
    private let email = "ines@example.com"
    private let password = "Zq7xGeheim-through"

    @Test func `Mystica is followed from registering to signing out`() async throws {
        let app = ProxiedApp(house: try await FoyerFixture(), app: "mystica")
        let who: JSON = ["email": .string(email), "password": .string(password)]
        #expect(await app.post("/auth/register", who).status == 200)
        #expect(await app.standing()["screen"] == "verify")
        try await app.followMail(to: email)

        let login = await app.post("/auth/login", who)
        #expect(login.status == 200)
        var now = await app.standing()
        #expect(now["screen"] == "map")
        #expect(now["session"]?["state"] == "active")
        #expect(now["session"]?["user"]?["email"] == .string(email))
        let token = try #require(login.json["session"]?["access_token"]?.string)
        #expect(await app.stored("mystica_access_token") == token)
        #expect(await app.ask(.get, "/auth/me", bearer: token).status == 200)

        let id = now["session"]?["id"]?.string ?? ""
        let heard = app.house.simulator.lastObservation(ofSession: id)
        #expect(heard?.call == "me" && heard?.isAccepted == true)

        let old = login.json["session"]?["refresh_token"] ?? .null
        let renewed = await app.post("/auth/refresh", ["refresh_token": old])
        #expect(renewed.status == 200)
        now = await app.standing()
        #expect(now["session"]?["refreshCount"] == 1)
        let fresh = try #require(await app.stored("mystica_access_token"))
        #expect(fresh != token)

        #expect(await app.ask(.post, "/auth/logout", bearer: fresh).status < 300)
        now = await app.standing()
        #expect(now["screen"] == "login")
        #expect(now["session"] == .null)
        let sessions = await app.house.ask(.get, "/api/sessions")
        #expect(sessions.json["items"]?[0]?["state"] == "signedOut")
    }

    @Test func `a reused refresh token ends the session here too`() async throws {
        let app = ProxiedApp(house: try await FoyerFixture(), app: "mystica")
        let who: JSON = ["email": .string(email), "password": .string(password)]
        _ = await app.post("/auth/register", who)
        try await app.followMail(to: email)
        let login = await app.post("/auth/login", who)
        let first = login.json["session"]?["refresh_token"] ?? .null
        _ = await app.post("/auth/refresh", ["refresh_token": first])
        let current = await app.stored("mystica_refresh_token") ?? ""
        // Another's replay says nothing about what this device holds …
        app.house.frozen.advance(by: 3_600)
        #expect(await app.post("/auth/refresh", ["refresh_token": first]).status >= 400)
        #expect(await app.standing()["session"] != .null)
        // … until its own is refused.
        let own = await app.post("/auth/refresh", ["refresh_token": .string(current)])
        #expect(own.status >= 400)
        #expect(await app.standing()["session"] == .null)
        let sessions = await app.house.ask(.get, "/api/sessions")
        #expect(sessions.json["items"]?[0]?["state"] == "revoked")
    }

    @Test func `instant play is followed without a form`() async throws {
        let app = ProxiedApp(house: try await FoyerFixture(), app: "mystica-instant")
        let answer = await app.post(
            "/auth/register-device", ["device_id": "7B1C6C0E-0000-4000-8000-000000000001"])
        #expect(answer.status < 300)
        let now = await app.standing()
        #expect(now["screen"] == "map")
        #expect(now["session"]?["state"] == "active")
    }

    @Test func `Bob is followed to his projects`() async throws {
        let app = ProxiedApp(house: try await FoyerFixture(), app: "bob")
        let made = await app.post(
            "/auth/register",
            [
                "email": .string(email), "password": .string(password), "firstName": "Ines",
                "lastName": "Roth",
            ])
        #expect(made.status == 201)
        #expect(await app.standing()["screen"] == "login")
        let login = await app.post(
            "/auth/login", ["email": .string(email), "password": .string(password)])
        #expect(login.status == 200)
        let now = await app.standing()
        #expect(now["screen"] == "projects")
        #expect(now["session"]?["user"]?["email"] == .string(email))
    }

    @Test func `the Wall is followed by its code`() async throws {
        let app = ProxiedApp(house: try await FoyerFixture(), app: "wall")
        #expect(await app.post("/auth/register", ["email": .string(email)]).status == 200)
        let code = try await app.code(to: email)
        let login = await app.post(
            "/auth/login", ["email": .string(email), "verification_code": .string(code)])
        #expect(login.json["success"] == true)
        let now = await app.standing()
        #expect(now["screen"] == "wall")
        #expect(now["session"]?["state"] == "active")
    }

    @Test func `Socoto is followed through its grants`() async throws {
        let fixture = try await FoyerFixture()
        let app = ProxiedApp(house: fixture, app: "socoto")
        let key = fixture.backend.clientSetting("anonKey", of: "socoto", in: "main") ?? ""
        let keys = [("apikey", key)]
        _ = await app.post(
            "/auth/v1/signup",
            [
                "email": .string(email), "password": .string(password),
                "data": ["full_name": "Ines Roth", "role": "student"],
            ], headers: keys)
        try await app.followMail(to: email)
        let login = await app.post(
            "/auth/v1/token?grant_type=password",
            ["email": .string(email), "password": .string(password)], headers: keys)
        #expect(login.status == 200)
        let began = await app.standing()
        #expect(began["session"]?["user"]?["email"] == .string(email))
        let renewed = await app.post(
            "/auth/v1/token?grant_type=refresh_token",
            ["refresh_token": login.json["refresh_token"] ?? .null], headers: keys)
        #expect(renewed.status == 200)
        #expect(await app.standing()["session"]?["refreshCount"] == 1)
        let out = await app.ask(
            .post, "/auth/v1/logout?scope=local", bearer: renewed.json["access_token"]?.string,
            headers: keys)
        #expect(out.status == 204)
        #expect(await app.standing()["session"] == .null)
    }

    @Test func `CLARITY is followed below Google's paths`() async throws {
        let app = ProxiedApp(house: try await FoyerFixture(), app: "clarity")
        let identity = "/identitytoolkit.googleapis.com/v1/accounts:"
        let who: JSON = [
            "email": .string(email), "password": .string("Zq7xGeheim-1A"),
            "returnSecureToken": true,
        ]
        #expect(await app.post(identity + "signUp?key=fake-api-key", who).status == 200)
        let login = await app.post(identity + "signInWithPassword?key=fake-api-key", who)
        #expect(login.status == 200)
        let now = await app.standing()
        #expect(now["session"]?["state"] == "active")
        #expect(now["session"]?["user"]?["email"] == .string(email))
        // Within the same second it is the same token.
        app.house.frozen.advance(by: 2)
        let renewed = await app.ask(
            .post, "/securetoken.googleapis.com/v1/token?key=fake-api-key",
            form: [
                ("grant_type", "refresh_token"),
                ("refresh_token", login.json["refreshToken"]?.string ?? ""),
            ])
        #expect(renewed.status == 200)
        #expect(await app.standing()["session"]?["refreshCount"] == 1)
    }
}
