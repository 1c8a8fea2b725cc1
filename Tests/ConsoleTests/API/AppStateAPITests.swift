import Backend
import Core
import Support
import Testing
import Web

@Suite(.timeLimit(.minutes(10))) struct AppStateAPITests {
    /// Registers on a new device, opens the link in the mail, and returns the device's id.
    private func signIn(_ fixture: FoyerFixture) async throws -> String {
        let device = await fixture.device()
        let sent = await fixture.submit(
            "/apps/mystica/register/submit",
            [("email", "nora@example.com"), ("password", "correct horse")], device: device)
        #expect(sent.location == "/apps/mystica/verify")
        let mail = try await fixture.backend.mailbox.list(workspace: "main")
        let link = try #require(mail.items.first?.link)
        let path = link.replacing("http://127.0.0.1:7071", with: "")
        let page = await fixture.backend.responder(
            Request(method: .get, target: path, headers: ["Host": "127.0.0.1:7071"]))
        #expect(page.status == 200)
        let appState = await fixture.ask(.post, "/api/devices/\(device)/apps/mystica/relaunch")
        #expect(appState.json["screen"] == "map")
        return device
    }

    @Test func `a new device shows the splash and stores nothing`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        let appState = await fixture.ask(.get, "/api/devices/\(device)/apps/mystica")
        #expect(appState.status == 200)
        #expect(appState.json["screen"] == "splash")
        #expect(appState.json["session"] == .null)
        #expect(appState.json["storage"] == [])
        #expect(appState.json["backend"] == "embedded")
    }

    @Test func `a relaunch after registration and verification has an active session`() async throws
    {
        let fixture = try await FoyerFixture()
        let device = try await signIn(fixture)
        let appState = await fixture.ask(.get, "/api/devices/\(device)/apps/mystica")
        let session = appState.json["session"]
        #expect(session?["state"] == "active")
        #expect(session?["user"]?["email"] == "nora@example.com")
        #expect(session?["accessToken"]?["signature"] == "verified")
        #expect(session?["accessToken"]?["kind"] == "jwt")
        #expect(session?["refreshToken"]?["kind"] == "opaque")
    }

    @Test func `a stored value is revealed by key, recorded as an event, and deletable`()
        async throws
    {
        let fixture = try await FoyerFixture()
        let device = try await signIn(fixture)
        let base = "/api/devices/\(device)/apps/mystica/storage"
        let item = await fixture.ask(.get, "\(base)/mystica_access_token")
        #expect(item.json["value"]?.string?.hasPrefix("eyJ") == true)
        #expect(fixture.hub.events(in: "main").last?.kind == .storageRevealed)
        let deleted = await fixture.ask(.delete, "\(base)/mystica_access_token")
        #expect(deleted.status == 200)
        let again = await fixture.ask(.get, "\(base)/mystica_access_token")
        #expect(again.status == 404)
    }

    @Test func `a custom base URL must be https or a local port other than Foyer's`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        let address = "/api/devices/\(device)/apps/mystica"
        for base in [
            "http://api.example.com", "ftp://127.0.0.1", "nonsense", "http://127.0.0.1:7070/x",
        ] {
            let rejected = await fixture.ask(
                .patch, address, json: ["backend": "local", "base": .string(base)])
            #expect(rejected.status == 422, "\(base)")
        }
        let accepted = await fixture.ask(
            .patch, address, json: ["backend": "local", "base": "http://127.0.0.1:3999/v1"])
        #expect(accepted.status == 200)
        #expect(accepted.json["base"] == "http://127.0.0.1:3999/v1")
        let unknown = await fixture.ask(.patch, address, json: ["backend": "moon"])
        #expect(unknown.status == 400)
    }

    @Test func `sessions are listed, refreshed and ended`() async throws {
        let fixture = try await FoyerFixture()
        _ = try await signIn(fixture)
        let list = await fixture.ask(.get, "/api/sessions?state=active")
        #expect(list.json["total"] == 1)
        let id = list.json["items"]?[0]?["id"]?.string ?? ""
        let refreshed = await fixture.ask(.post, "/api/sessions/\(id)/refresh")
        #expect(refreshed.status == 200)
        #expect(refreshed.json["refreshCount"] == 1)
        #expect(await fixture.ask(.delete, "/api/sessions/\(id)").status == 204)
        let ended = await fixture.ask(.get, "/api/sessions/\(id)")
        #expect(ended.json["state"] == "signedOut")
        let invalid = await fixture.ask(.get, "/api/sessions?state=happy")
        #expect(invalid.status == 400)
    }

    @Test func `no exchange contains a password or an unmasked token`() async throws {
        let fixture = try await FoyerFixture()
        _ = try await signIn(fixture)
        let list = await fixture.ask(.get, "/api/exchanges")
        guard case .array(let items)? = list.json["items"] else {
            Issue.record("a list has items")
            return
        }
        #expect(items.count >= 2)
        for item in items {
            let id = item["id"]?.string ?? ""
            for format in ["json", "har"] {
                let exchange = await fixture.ask(.get, "/api/exchanges/\(id)?format=\(format)")
                let text = exchange.json.description
                #expect(!text.contains("correct horse"))
                #expect(!text.contains("correct+horse"))
                let tokens = text.matches(of: /eyJ[A-Za-z0-9_.-]{20,}/)
                #expect(tokens.isEmpty, "\(format) \(id)")
            }
        }
    }

    @Test func `a reset deletes devices, sessions, exchanges and mail`() async throws {
        let fixture = try await FoyerFixture()
        _ = try await signIn(fixture)
        #expect(await fixture.ask(.post, "/api/reset").status == 204)
        for list in ["devices", "sessions", "exchanges", "mailbox"] {
            let response = await fixture.ask(.get, "/api/\(list)")
            #expect(response.json["total"] == 0, "\(list)")
        }
    }
}
