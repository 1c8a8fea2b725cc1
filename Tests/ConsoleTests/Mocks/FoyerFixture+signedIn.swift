import Backend
import Core
import Support
import Testing
import Web

extension FoyerFixture {
    /// Registers `email` with Mystica on a new device, opens the mail's link and relaunches to the
    /// map; returns the device id.
    func registered(_ email: String = "nora@example.com") async throws -> String {
        let device = await device()
        _ = await submit(
            "/apps/mystica/register/submit", [("email", email), ("password", "correct horse")],
            device: device)
        let mail = try await backend.mailbox.list(workspace: "main", to: email)
        let link = try #require(mail.items.first?.link)
        let page = await backend.responder(
            Request(
                method: .get, target: link.replacing("http://127.0.0.1:7071", with: ""),
                headers: ["Host": "127.0.0.1:7071"]))
        #expect(page.status == 200)
        let relaunched = await ask(.post, "/api/devices/\(device)/apps/mystica/relaunch")
        #expect(relaunched.json["screen"] == "map")
        return device
    }

    /// The id of the newest session.
    func session() async throws -> String {
        let list = await ask(.get, "/api/sessions")
        return try #require(list.json["items"]?[0]?["id"]?.string)
    }

    /// The id of the newest exchange that matches `query`.
    func exchange(_ query: String = "") async throws -> String {
        let list = await ask(.get, "/api/exchanges?" + query)
        return try #require(list.json["items"]?[0]?["id"]?.string)
    }

    /// Whether `text` contains an unmasked token that `device` stores.
    func leaks(_ text: String, device: String) async -> Bool {
        for key in ["mystica_access_token", "mystica_refresh_token"] {
            let item = await ask(.get, "/api/devices/\(device)/apps/mystica/storage/\(key)")
            guard let value = item.json["value"]?.string else { continue }
            if text.contains(value) { return true }
        }
        return false
    }
}
