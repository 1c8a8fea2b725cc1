import Backend
import Core
import Support
import Web

@testable import Console

/// A real app that calls its backend via the console's proxy, without key or cookie.
struct ProxiedApp {
    let fixture: FoyerFixture
    let app: String
    var workspace = "main"
    var headers: [(String, String)] = [("User-Agent", "Phone/2.1 (iOS)")]

    func send(
        _ method: Method, _ path: String, json: JSON? = nil, form: [(String, String)]? = nil,
        bearer: String? = nil, headers additional: [(String, String)] = []
    ) async -> (status: Int, json: JSON, headers: Headers) {
        var headers: Headers = ["Host": "127.0.0.1:7070"]
        for (name, value) in self.headers + additional { headers.add(name, value) }
        var body: [UInt8] = []
        if let json {
            headers.add("Content-Type", "application/json")
            body = json.bytes
        } else if let form {
            headers.add("Content-Type", "application/x-www-form-urlencoded")
            body = Array(Form.encode(form).utf8)
        }
        if let bearer { headers.add("Authorization", "Bearer \(bearer)") }
        let response = await fixture.site.responder(
            Request(
                method: method, target: "/proxy/\(workspace)/\(app)\(path)", headers: headers,
                body: body))
        var parsed = JSON.null
        if case .bytes(let bytes) = response.body { parsed = (try? JSON(parsing: bytes)) ?? .null }
        return (response.status, parsed, response.headers)
    }

    func post(_ path: String, _ json: JSON, bearer: String? = nil, headers: [(String, String)] = [])
        async -> (status: Int, json: JSON, headers: Headers)
    { await send(.post, path, json: json, bearer: bearer, headers: headers) }

    /// The id of the device that the console assigned to the app.
    func device() async -> String {
        let devices = await fixture.ask(.get, "/api/devices").json["items"]
        var index = 0
        while let device = devices?[index] {
            if device["label"]?.string?.hasPrefix("Proxied") == true {
                return device["id"]?.string ?? ""
            }
            index += 1
        }
        return ""
    }

    /// The app's state on that device.
    func state() async -> JSON {
        await fixture.ask(.get, "/api/devices/\(await device())/apps/\(app)").json
    }

    /// The unmasked stored value of `key` on that device.
    func stored(_ key: String) async -> String? {
        await fixture.ask(.get, "/api/devices/\(await device())/apps/\(app)/storage/\(key)").json[
            "value"]?.string
    }

    /// Opens the link in the newest mail.
    func followMail(to address: String) async throws {
        let mail = try await fixture.backend.mailbox.list(workspace: workspace, to: address)
        let link = mail.items.first?.link ?? ""
        _ = await fixture.backend.responder(
            Request(
                method: .get, target: link.replacing("http://127.0.0.1:7071", with: ""),
                headers: ["Host": "127.0.0.1:7071"]))
    }

    /// The code in the newest mail.
    func code(to address: String) async throws -> String {
        try await fixture.backend.mailbox.list(workspace: workspace, to: address).items.first?.code
            ?? ""
    }
}
