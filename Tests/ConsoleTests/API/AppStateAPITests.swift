import Backend
import Core
import Support
import Testing
import Web

@Suite(.timeLimit(.minutes(10))) struct AppStateAPITests {
    /// A device that has registered and followed the mail's link.
    private func signedIn(_ fixture: FoyerFixture) async throws -> String {
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
        let at = await fixture.ask(.post, "/api/devices/\(device)/apps/mystica/relaunch")
        #expect(at.json["screen"] == "map")
        return device
    }

    @Test func `a fresh device stands at the splash with nothing stored`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        let at = await fixture.ask(.get, "/api/devices/\(device)/apps/mystica")
        #expect(at.status == 200)
        #expect(at.json["screen"] == "splash")
        #expect(at.json["session"] == .null)
        #expect(at.json["storage"] == [])
        #expect(at.json["backend"] == "embedded")
    }

    @Test func `register, mail, link, relaunch: the map and a verified token`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await signedIn(fixture)
        let at = await fixture.ask(.get, "/api/devices/\(device)/apps/mystica")
        let session = at.json["session"]
        #expect(session?["state"] == "active")
        #expect(session?["user"]?["email"] == "nora@example.com")
        #expect(session?["accessToken"]?["signature"] == "verified")
        #expect(session?["accessToken"]?["kind"] == "jwt")
        #expect(session?["refreshToken"]?["kind"] == "opaque")
    }

    @Test func `a whole value is told to who asks for it by name`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await signedIn(fixture)
        let base = "/api/devices/\(device)/apps/mystica/storage"
        let item = await fixture.ask(.get, "\(base)/mystica_access_token")
        #expect(item.json["value"]?.string?.hasPrefix("eyJ") == true)
        #expect(fixture.hub.events(in: "main").last?.kind == .storageRevealed)
        let gone = await fixture.ask(.delete, "\(base)/mystica_access_token")
        #expect(gone.status == 200)
        let again = await fixture.ask(.get, "\(base)/mystica_access_token")
        #expect(again.status == 404)
    }

    @Test func `another backend must be https or on this machine, and not us`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        let address = "/api/devices/\(device)/apps/mystica"
        for base in [
            "http://api.example.com", "ftp://127.0.0.1", "nonsense", "http://127.0.0.1:7070/x",
        ] {
            let refused = await fixture.ask(
                .patch, address, json: ["backend": "local", "base": .string(base)])
            #expect(refused.status == 422, "\(base)")
        }
        let taken = await fixture.ask(
            .patch, address, json: ["backend": "local", "base": "http://127.0.0.1:3999/v1"])
        #expect(taken.status == 200)
        #expect(taken.json["base"] == "http://127.0.0.1:3999/v1")
        let unknown = await fixture.ask(.patch, address, json: ["backend": "moon"])
        #expect(unknown.status == 400)
    }

    @Test func `sessions are listed, refreshed and ended`() async throws {
        let fixture = try await FoyerFixture()
        _ = try await signedIn(fixture)
        let list = await fixture.ask(.get, "/api/sessions?state=active")
        #expect(list.json["total"] == 1)
        let id = list.json["items"]?[0]?["id"]?.string ?? ""
        let refreshed = await fixture.ask(.post, "/api/sessions/\(id)/refresh")
        #expect(refreshed.status == 200)
        #expect(refreshed.json["refreshCount"] == 1)
        #expect(await fixture.ask(.delete, "/api/sessions/\(id)").status == 204)
        let ended = await fixture.ask(.get, "/api/sessions/\(id)")
        #expect(ended.json["state"] == "signedOut")
        let nobody = await fixture.ask(.get, "/api/sessions?state=happy")
        #expect(nobody.status == 400)
    }

    @Test func `no password and no whole token is in any exchange`() async throws {
        let fixture = try await FoyerFixture()
        _ = try await signedIn(fixture)
        let list = await fixture.ask(.get, "/api/exchanges")
        guard case .array(let items)? = list.json["items"] else {
            Issue.record("a list has items")
            return
        }
        #expect(items.count >= 2)
        for item in items {
            let id = item["id"]?.string ?? ""
            for format in ["json", "har"] {
                let whole = await fixture.ask(.get, "/api/exchanges/\(id)?format=\(format)")
                let text = whole.json.description
                #expect(!text.contains("correct horse"))
                #expect(!text.contains("correct+horse"))
                let long = text.matches(of: /eyJ[A-Za-z0-9_.-]{20,}/)
                #expect(long.isEmpty, "\(format) \(id)")
            }
        }
    }

    @Test func `a reset leaves nothing`() async throws {
        let fixture = try await FoyerFixture()
        _ = try await signedIn(fixture)
        #expect(await fixture.ask(.post, "/api/reset").status == 204)
        for list in ["devices", "sessions", "exchanges", "mailbox"] {
            let answer = await fixture.ask(.get, "/api/\(list)")
            #expect(answer.json["total"] == 0, "\(list)")
        }
    }
}
