import Apps
import Console
import FoundationEssentials
import Support
import Testing
import Web

/// The form and the endpoint that make an app of one's own.
@Suite(.timeLimit(.minutes(10))) final class AddAppTests {
    private let folder =
        FileManager.default.temporaryDirectory.path + "/own-apps-\(UUID().uuidString)"

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func submit(_ fields: [(String, String)], _ fixture: FoyerFixture) async -> Response {
        let body = fields.map { name, value in
            "--x\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
        }
        return await fixture.site.responder(
            Request(
                method: .post, target: "/add-app",
                headers: [
                    "Host": "127.0.0.1:7070", "Authorization": "Bearer \(FoyerFixture.key)",
                    "Accept": "text/html", "Content-Type": "multipart/form-data; boundary=x",
                ], body: Array((body.joined() + "--x--\r\n").utf8)))
    }

    @Test func `the form makes an app that runs and is first on the home page`() async throws {
        let fixture = try await FoyerFixture(apps: folder)
        let response = await submit(
            [("name", "Raft"), ("color", "#aa0000"), ("source", "contract"), ("contract", "bob")],
            fixture)
        #expect(response.status == 303)
        #expect(response.headers["Location"] == "/add-app/raft")
        let result = await fixture.page("/add-app/raft").text
        #expect(result.contains("\(folder)/raft"))
        #expect(fixture.catalog.apps.first?.id == "raft")
        let login = await fixture.page("/apps/raft/login")
        #expect(login.status == 200 && login.text.contains("login.email"))
        let style = await fixture.page("/assets/apps/raft/app.css").text
        #expect(style.contains("--blue: #aa0000"))
    }

    @Test func `an error keeps what was entered and writes nothing`() async throws {
        let fixture = try await FoyerFixture(apps: folder)
        let response = await submit(
            [
                ("name", "Mystica"), ("source", "openapi"), ("base", "http://localhost:1"),
                ("openapi", #"{"openapi": "3.0.0", "paths": {}}"#),
            ], fixture)
        #expect(response.status == 400)
        let page = response.text
        #expect(page.contains("Name is taken"))
        #expect(page.contains("&quot;paths&quot;") && page.contains("http://localhost:1"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }

    @Test func `a folder that cannot be written is reported in the form`() async throws {
        let fixture = try await FoyerFixture(apps: folder)
        try FileManager.default.removeItem(atPath: folder)
        try Data().write(to: URL(filePath: folder))
        let response = await submit(
            [("name", "Raft"), ("source", "contract"), ("contract", "bob")], fixture)
        #expect(response.status == 507)
        #expect(response.text.contains("\(folder)/raft cannot be written"))
    }

    @Test func `the endpoint makes an app from an OpenAPI document`() async throws {
        let fixture = try await FoyerFixture(apps: folder)
        let made = await fixture.ask(
            .post, "/api/apps",
            json: [
                "name": "Raft", "base": "http://localhost:1",
                "openapi": ["openapi": "3.0.0", "paths": [:]],
            ])
        #expect(made.status == 201)
        #expect(made.json["folder"]?.string == "\(folder)/raft")
        #expect(made.json["remarks"]?.elements.isEmpty == false)
        #expect(await fixture.ask(.post, "/api/apps", json: ["name": "Raft"]).status == 400)
    }
}
