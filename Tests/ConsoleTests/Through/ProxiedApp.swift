import Backend
import Support
import Web

@testable import Console

/// A real app, pointed at the console: it knows neither key nor cookie.
struct ProxiedApp {
    let house: FoyerFixture
    let app: String
    var workspace = "main"
    var headers: [(String, String)] = [("User-Agent", "Phone/2.1 (iOS)")]

    func ask(
        _ method: Method, _ path: String, json: JSON? = nil, form: [(String, String)]? = nil,
        bearer: String? = nil, headers more: [(String, String)] = []
    ) async -> (status: Int, json: JSON, headers: Headers) {
        var headers: Headers = ["Host": "127.0.0.1:7070"]
        for (name, value) in self.headers + more { headers.add(name, value) }
        var body: [UInt8] = []
        if let json {
            headers.add("Content-Type", "application/json")
            body = json.bytes
        } else if let form {
            headers.add("Content-Type", "application/x-www-form-urlencoded")
            body = Array(Form.encode(form).utf8)
        }
        if let bearer { headers.add("Authorization", "Bearer \(bearer)") }
        let response = await house.site.responder(
            Request(
                method: method, target: "/through/\(workspace)/\(app)\(path)", headers: headers,
                body: body))
        var parsed = JSON.null
        if case .bytes(let bytes) = response.body { parsed = (try? JSON(parsing: bytes)) ?? .null }
        return (response.status, parsed, response.headers)
    }

    func post(_ path: String, _ json: JSON, bearer: String? = nil, headers: [(String, String)] = [])
        async -> (status: Int, json: JSON, headers: Headers)
    { await ask(.post, path, json: json, bearer: bearer, headers: headers) }

    /// The id of the device it was given.
    func device() async -> String {
        let all = await house.ask(.get, "/api/devices").json["items"]
        var index = 0
        while let device = all?[index] {
            if device["label"]?.string?.hasPrefix("Through") == true {
                return device["id"]?.string ?? ""
            }
            index += 1
        }
        return ""
    }

    /// How the app stands on that device.
    func standing() async -> JSON {
        await house.ask(.get, "/api/devices/\(await device())/apps/\(app)").json
    }

    /// What is stored there under `key`, whole.
    func stored(_ key: String) async -> String? {
        await house.ask(.get, "/api/devices/\(await device())/apps/\(app)/storage/\(key)").json[
            "value"]?.string
    }

    /// Follows the newest mail's link, as a person would.
    func followMail(to address: String) async throws {
        let mail = try await house.backend.mailbox.list(workspace: workspace, to: address)
        let link = mail.items.first?.link ?? ""
        _ = await house.backend.responder(
            Request(
                method: .get, target: link.replacing("http://127.0.0.1:7071", with: ""),
                headers: ["Host": "127.0.0.1:7071"]))
    }

    /// The newest mail's code.
    func code(to address: String) async throws -> String {
        try await house.backend.mailbox.list(workspace: workspace, to: address).items.first?.code
            ?? ""
    }
}
