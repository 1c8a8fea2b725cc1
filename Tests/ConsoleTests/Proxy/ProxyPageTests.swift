import FoundationEssentials
import Simulator
import Support
import Synchronization
import Testing
import Web

@testable import Console

/// Which device a proxied call belongs to, and what is recorded of it.
@Suite(.timeLimit(.minutes(10))) struct ProxyPageTests {
    private let credentials: JSON = ["email": "ines@example.com", "password": "Zq7xGeheim-through"]

    @Test func `every client gets a device of its own and keeps it`() async throws {
        let fixture = try await FoyerFixture()
        for agent in ["Phone/2.1", "okhttp/4.9", "Phone/3.0 (iOS)"] {
            let app = ProxiedApp(fixture: fixture, app: "mystica", headers: [("User-Agent", agent)])
            _ = await app.post("/auth/login", credentials)
        }
        let devices = await fixture.ask(.get, "/api/devices").json["items"]
        #expect(devices?[0]?["label"] == "Proxied okhttp")
        #expect(devices?[1]?["label"] == "Proxied Phone")
        #expect(devices?[2] == nil)
    }

    @Test func `a device per client starts with the selected backend`() async throws {
        let requestedURLs = Mutex<[String]>([])
        let fixture = try await FoyerFixture { request in
            requestedURLs.withLock { $0.append(request.url) }
            return .responded(UpstreamResponse(status: 401))
        }
        let device = await fixture.device()
        await fixture.succeed(
            .patch, "/api/devices/\(device)/apps/mystica",
            json: ["backend": "local", "base": "http://127.0.0.1:3999/api/v1"])
        let dialog = await fixture.page("/studio/mystica/proxy", device: device)
        #expect(dialog.text.contains("/proxy/main@\(device),each/mystica</pre>"))
        let app = ProxiedApp(fixture: fixture, app: "mystica", workspace: "main@\(device),each")
        _ = await app.post("/auth/login", credentials)
        #expect(requestedURLs.withLock(\.last) == "http://127.0.0.1:3999/api/v1/auth/login")
        #expect(await app.state()["backend"] == "local")
        // A later choice on the original device applies to that device only.
        await fixture.succeed(
            .patch, "/api/devices/\(device)/apps/mystica", json: ["backend": "embedded"])
        _ = await app.post("/auth/login", credentials)
        #expect(requestedURLs.withLock(\.last) == "http://127.0.0.1:3999/api/v1/auth/login")
    }

    @Test func `a client can select its device`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        let app = ProxiedApp(
            fixture: fixture, app: "mystica", headers: [("X-Foyer-Device", device)])
        #expect(await app.post("/auth/login", credentials).status >= 400)
        let list = await fixture.ask(.get, "/api/exchanges").json["items"]
        #expect(list?[0]?["device"]?.string == device)
        let other = ProxiedApp(
            fixture: fixture, app: "mystica", headers: [("X-Foyer-Device", "dev_x")])
        #expect(await other.post("/auth/login", credentials).status == 404)
    }

    @Test func `a proxied call is recorded with its name and without secrets`() async throws {
        let fixture = try await FoyerFixture()
        let app = ProxiedApp(fixture: fixture, app: "mystica")
        let response = await app.post("/auth/register", credentials)
        let id = try #require(response.headers["X-Foyer-Exchange"])
        let exchange = await fixture.ask(.get, "/api/exchanges/\(id)").json
        #expect(exchange["call"] == "register")
        #expect(exchange["cause"] == "proxied")
        let text = exchange.description
        #expect(!text.contains("Zq7xGeheim"))
        #expect(text.contains("‹password›"))
        let token = response.json["session"]?["access_token"]?.string ?? "?"
        #expect(!text.contains(token))
        // Calls that no manifest describes are redacted too.
        let unknown = await app.post("/v9/odd", ["nested": [["newPassword": "Zq7xGeheim-odd"]]])
        let unknownID = try #require(unknown.headers["X-Foyer-Exchange"])
        let unknownExchange = await fixture.ask(.get, "/api/exchanges/\(unknownID)").json
        #expect(unknownExchange["call"] == "other")
        #expect(!unknownExchange.description.contains("Zq7xGeheim"))
    }

    @Test func `an unknown app or workspace is reported by Foyer itself`() async throws {
        let fixture = try await FoyerFixture()
        let unknownApp = ProxiedApp(fixture: fixture, app: "nobody")
        let unknownWorkspace = ProxiedApp(fixture: fixture, app: "mystica", workspace: "ws_gone")
        for app in [unknownApp, unknownWorkspace] {
            let response = await app.send(.get, "/auth/me")
            #expect(response.status == 404)
            #expect(response.headers["X-Foyer-Error"]?.isEmpty == false)
        }
        #expect(await fixture.ask(.get, "/api/exchanges").json["total"] == 0)
    }

    @Test(arguments: ["/a/../../x", "/a/%2e%2E/x", "/a/..%2fx", "/a/.%2e\\x"])
    func `no path leads outside the backend's base`(_ path: String) async throws {
        let app = ProxiedApp(fixture: try await FoyerFixture(), app: "mystica")
        let response = await app.send(.get, path)
        #expect(response.status == 400)
    }

    @Test func `an app that is already signed in is tracked from its next call`() async throws {
        let fixture = try await FoyerFixture()
        let app = ProxiedApp(fixture: fixture, app: "mystica")
        _ = await app.post("/auth/register", credentials)
        try await app.followMail(to: "ines@example.com")
        let login = await app.post("/auth/login", credentials)
        let token = login.json["session"]?["access_token"]?.string ?? ""
        let secondClient = ProxiedApp(
            fixture: fixture, app: "mystica", headers: [("User-Agent", "Late/1")])
        #expect(await secondClient.send(.get, "/auth/me", bearer: token).status == 200)
        let sessions = await fixture.ask(.get, "/api/sessions?state=active").json
        #expect(sessions["total"] == 2)
        let sessionID = sessions["items"]?[0]?["id"]?.string ?? ""
        let observation = fixture.simulator.lastObservation(ofSession: sessionID)
        #expect(observation?.call == "me" && observation?.isAccepted == true)
    }

    @Test func `a call of another session does not change the device`() async throws {
        let fixture = try await FoyerFixture()
        let app = ProxiedApp(fixture: fixture, app: "mystica")
        _ = await app.post("/auth/register", credentials)
        try await app.followMail(to: "ines@example.com")
        let first = await app.post("/auth/login", credentials)
        let old = first.json["session"]?["access_token"]?.string ?? ""
        fixture.frozen.advance(by: 2)
        _ = await app.post("/auth/login", credentials)
        _ = await app.send(.post, "/auth/logout", bearer: old)
        #expect(await app.state()["session"]?["state"] == "active")
    }

    @Test func `a failed sign-in leaves the device on the login screen`() async throws {
        let app = ProxiedApp(fixture: try await FoyerFixture(), app: "mystica")
        #expect(await app.post("/auth/login", credentials).status >= 400)
        let state = await app.state()
        #expect(state["screen"] == "login")
        #expect(state["session"] == .null)
    }

    @Test func `a fault applies to a proxied call`() async throws {
        let fixture = try await FoyerFixture()
        let app = ProxiedApp(fixture: fixture, app: "mystica")
        let fault = await fixture.ask(
            .post, "/api/faults",
            json: ["kind": "status", "call": "register", "times": 1, "status": 503])
        #expect(fault.status == 201)
        let faulted = await app.post("/auth/register", credentials)
        #expect(faulted.status == 503)
        let id = try #require(faulted.headers["X-Foyer-Exchange"])
        let exchange = await fixture.ask(.get, "/api/exchanges/\(id)").json
        #expect(exchange["fault"] == "status 503, 1 of 1")
        #expect(exchange["call"] == "register")
        #expect(!exchange.description.contains("Zq7xGeheim"))
        #expect(await app.post("/auth/register", credentials).status == 200)
    }

    /// A login response, compressed with `gzip`.
    private static let compressed =
        "H4sIAAAAAAACA12LQQqAIBQF7/LWFrR11U1C7EWSZvgTgvDuGbZqOcPM"
        + "jSxM0DfcDI08QIHBOF/B7ZSRlwmHZ29jQFEQiri4v4OxtsJ0xo2VcRi7"
        + "ce6a7ZpVSFwSZf1Xn/6yUh5+1ZZLhwAAAA=="

    @Test(arguments: [("gzip", true), ("br", false)])
    func `a compressed response is read if its coding is supported`(coding: String, isRead: Bool)
        async throws
    {
        let bytes = Array(try #require(Data(base64Encoded: Self.compressed)))
        let fixture = try await FoyerFixture(upstream: { _ in
            .responded(
                UpstreamResponse(
                    status: 200,
                    headers: ["Content-Type": "application/json", "Content-Encoding": coding],
                    body: bytes))
        })
        let app = ProxiedApp(fixture: fixture, app: "mystica")
        let response = await app.post("/auth/login", credentials)
        #expect(response.headers["Content-Encoding"] == coding)
        let id = try #require(response.headers["X-Foyer-Exchange"])
        let exchange = await fixture.ask(.get, "/api/exchanges/\(id)").json
        let text = exchange.description
        #expect(text.contains("refresh_token") == isRead)
        #expect(text.contains("encoded as br") == !isRead)
        #expect(!text.contains("packed-access-token"))
        #expect((await app.state()["session"] != .null) == isRead)
    }
}
