import FoundationEssentials
import Simulator
import Support
import Synchronization
import Testing
import Web

@testable import Console

/// Whose calls pass through, and what is kept of them.
@Suite(.timeLimit(.minutes(10))) struct ProxyPageTests {
    private let who: JSON = ["email": "ines@example.com", "password": "Zq7xGeheim-through"]

    @Test func `every client has a device of its own and keeps it`() async throws {
        let fixture = try await FoyerFixture()
        for agent in ["Phone/2.1", "okhttp/4.9", "Phone/3.0 (iOS)"] {
            let app = ProxiedApp(house: fixture, app: "mystica", headers: [("User-Agent", agent)])
            _ = await app.post("/auth/login", who)
        }
        let devices = await fixture.ask(.get, "/api/devices").json["items"]
        #expect(devices?[0]?["label"] == "Through okhttp")
        #expect(devices?[1]?["label"] == "Through Phone")
        #expect(devices?[2] == nil)
    }

    @Test func `a phone for each client begins with the backend that was chosen`() async throws {
        let asked = Mutex<[String]>([])
        let fixture = try await FoyerFixture { request in
            asked.withLock { $0.append(request.url) }
            return .responded(UpstreamResponse(status: 401))
        }
        let device = await fixture.device()
        await fixture.succeed(
            .patch, "/api/devices/\(device)/apps/mystica",
            json: ["backend": "local", "base": "http://127.0.0.1:3999/api/v1"])
        let dialog = await fixture.page("/studio/mystica/through", device: device)
        #expect(dialog.text.contains("/through/main@\(device),each/mystica</pre>"))
        let app = ProxiedApp(house: fixture, app: "mystica", workspace: "main@\(device),each")
        _ = await app.post("/auth/login", who)
        #expect(asked.withLock(\.last) == "http://127.0.0.1:3999/api/v1/auth/login")
        #expect(await app.standing()["backend"] == "local")
        // What is chosen on it later counts for it.
        await fixture.succeed(
            .patch, "/api/devices/\(device)/apps/mystica", json: ["backend": "embedded"])
        _ = await app.post("/auth/login", who)
        #expect(asked.withLock(\.last) == "http://127.0.0.1:3999/api/v1/auth/login")
    }

    @Test func `a client may name its device`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        let app = ProxiedApp(house: fixture, app: "mystica", headers: [("X-Foyer-Device", device)])
        #expect(await app.post("/auth/login", who).status >= 400)
        let list = await fixture.ask(.get, "/api/exchanges").json["items"]
        #expect(list?[0]?["device"]?.string == device)
        let other = ProxiedApp(
            house: fixture, app: "mystica", headers: [("X-Foyer-Device", "dev_x")])
        #expect(await other.post("/auth/login", who).status == 404)
    }

    @Test func `it is recorded by its call and without its secrets`() async throws {
        let fixture = try await FoyerFixture()
        let app = ProxiedApp(house: fixture, app: "mystica")
        let answer = await app.post("/auth/register", who)
        let id = try #require(answer.headers["X-Foyer-Exchange"])
        let kept = await fixture.ask(.get, "/api/exchanges/\(id)").json
        #expect(kept["call"] == "register")
        #expect(kept["cause"] == "through")
        let text = kept.description
        #expect(!text.contains("Zq7xGeheim"))
        #expect(text.contains("‹password›"))
        let token = answer.json["session"]?["access_token"]?.string ?? "?"
        #expect(!text.contains(token))
        // What no manifest speaks of is looked through all the same.
        let odd = await app.post("/v9/odd", ["nested": [["newPassword": "Zq7xGeheim-odd"]]])
        let other = try #require(odd.headers["X-Foyer-Exchange"])
        let seen = await fixture.ask(.get, "/api/exchanges/\(other)").json
        #expect(seen["call"] == "other")
        #expect(!seen.description.contains("Zq7xGeheim"))
    }

    @Test func `what is not there is told by Foyer itself`() async throws {
        let fixture = try await FoyerFixture()
        let nobody = ProxiedApp(house: fixture, app: "nobody")
        let gone = ProxiedApp(house: fixture, app: "mystica", workspace: "ws_gone")
        for app in [nobody, gone] {
            let answer = await app.ask(.get, "/auth/me")
            #expect(answer.status == 404)
            #expect(answer.headers["X-Foyer-Error"]?.isEmpty == false)
        }
        #expect(await fixture.ask(.get, "/api/exchanges").json["total"] == 0)
    }

    @Test(arguments: ["/a/../../x", "/a/%2e%2E/x", "/a/..%2fx", "/a/.%2e\\x"])
    func `no path leads out of the backend's base`(_ path: String) async throws {
        let app = ProxiedApp(house: try await FoyerFixture(), app: "mystica")
        let answer = await app.ask(.get, path)
        #expect(answer.status == 400)
    }

    @Test func `an app that had signed in before is seen at its next call`() async throws {
        let fixture = try await FoyerFixture()
        let phone = ProxiedApp(house: fixture, app: "mystica")
        _ = await phone.post("/auth/register", who)
        try await phone.followMail(to: "ines@example.com")
        let login = await phone.post("/auth/login", who)
        let token = login.json["session"]?["access_token"]?.string ?? ""
        let late = ProxiedApp(house: fixture, app: "mystica", headers: [("User-Agent", "Late/1")])
        #expect(await late.ask(.get, "/auth/me", bearer: token).status == 200)
        let now = await fixture.ask(.get, "/api/sessions?state=active").json
        #expect(now["total"] == 2)
        let adopted = now["items"]?[0]?["id"]?.string ?? ""
        let heard = fixture.simulator.lastObservation(ofSession: adopted)
        #expect(heard?.call == "me" && heard?.isAccepted == true)
    }

    @Test func `a call of another session changes nothing here`() async throws {
        let fixture = try await FoyerFixture()
        let phone = ProxiedApp(house: fixture, app: "mystica")
        _ = await phone.post("/auth/register", who)
        try await phone.followMail(to: "ines@example.com")
        let first = await phone.post("/auth/login", who)
        let old = first.json["session"]?["access_token"]?.string ?? ""
        fixture.frozen.advance(by: 2)
        _ = await phone.post("/auth/login", who)
        _ = await phone.ask(.post, "/auth/logout", bearer: old)
        #expect(await phone.standing()["session"]?["state"] == "active")
    }

    @Test func `a failed sign-in is shown on the phone`() async throws {
        let app = ProxiedApp(house: try await FoyerFixture(), app: "mystica")
        #expect(await app.post("/auth/login", who).status >= 400)
        let now = await app.standing()
        #expect(now["screen"] == "login")
        #expect(now["session"] == .null)
    }

    @Test func `a condition strikes what passes through`() async throws {
        let fixture = try await FoyerFixture()
        let app = ProxiedApp(house: fixture, app: "mystica")
        let made = await fixture.ask(
            .post, "/api/conditions",
            json: ["kind": "status", "call": "register", "times": 1, "status": 503])
        #expect(made.status == 201)
        let struck = await app.post("/auth/register", who)
        #expect(struck.status == 503)
        let id = try #require(struck.headers["X-Foyer-Exchange"])
        let kept = await fixture.ask(.get, "/api/exchanges/\(id)").json
        #expect(kept["condition"] == "status 503, 1 of 1")
        #expect(kept["call"] == "register")
        #expect(!kept.description.contains("Zq7xGeheim"))
        #expect(await app.post("/auth/register", who).status == 200)
    }

    /// An answer to a login, as `gzip` writes it.
    private static let packed =
        "H4sIAAAAAAACA12LQQqAIBQF7/LWFrR11U1C7EWSZvgTgvDuGbZqOcPM"
        + "jSxM0DfcDI08QIHBOF/B7ZSRlwmHZ29jQFEQiri4v4OxtsJ0xo2VcRi7"
        + "ce6a7ZpVSFwSZf1Xn/6yUh5+1ZZLhwAAAA=="

    @Test(arguments: [("gzip", true), ("br", false)])
    func `an answer that comes packed is read where it can be`(coding: String, isRead: Bool)
        async throws
    {
        let bytes = Array(try #require(Data(base64Encoded: Self.packed)))
        let fixture = try await FoyerFixture(reach: { _ in
            .responded(
                UpstreamResponse(
                    status: 200,
                    headers: ["Content-Type": "application/json", "Content-Encoding": coding],
                    body: bytes))
        })
        let app = ProxiedApp(house: fixture, app: "mystica")
        let answer = await app.post("/auth/login", who)
        #expect(answer.headers["Content-Encoding"] == coding)
        let id = try #require(answer.headers["X-Foyer-Exchange"])
        let kept = await fixture.ask(.get, "/api/exchanges/\(id)").json
        let text = kept.description
        #expect(text.contains("refresh_token") == isRead)
        #expect(text.contains("packed as br") == !isRead)
        #expect(!text.contains("packed-access-token"))
        #expect((await app.standing()["session"] != .null) == isRead)
    }
}
