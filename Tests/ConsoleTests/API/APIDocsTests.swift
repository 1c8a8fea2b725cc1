import Console
import Support
import Testing
import Web

/// The page that describes the API.
@Suite(.timeLimit(.minutes(10))) struct APIDocsTests {
    @Test func `every operation and every schema has a section`() async throws {
        let fixture = try await FoyerFixture()
        let document = await fixture.ask(.get, "/api/openapi.json").json
        let page = await fixture.page("/api/docs").text
        for path in document["paths"]?.members ?? [] {
            for operation in path.value.members {
                let id = operation.value["operationId"]?.string ?? ""
                #expect(page.contains("<h3 id=\"\(id)\""), "\(id)")
            }
        }
        for schema in document["components"]?["schemas"]?.members ?? [] {
            #expect(page.contains("<h3 id=\"schema-\(schema.name)\""), "\(schema.name)")
        }
    }

    @Test func `every link within the page has a target`() async throws {
        let page = await (try await FoyerFixture()).page("/api/docs").text
        let targets = Set(
            page.split(separator: "href=\"#").dropFirst().map { $0.prefix { $0 != "\"" } })
        #expect(targets.count > 100)
        for target in targets { #expect(page.contains("id=\"\(target)\""), "\(target)") }
    }

    @Test func `a field has its type, limits, choices and an example`() async throws {
        let page = await (try await FoyerFixture()).page("/api/docs").text
        let fault = try #require(page.split(separator: "<h3 id=\"createFault\"").last)
        #expect(fault.contains("<code class=\"api-choice\">rateLimited</code>"))
        #expect(fault.contains("200 to 599."))
        #expect(fault.contains("href=\"#schema-Fault\""))
        let mail = try #require(page.split(separator: "<h3 id=\"schema-MailDetail\"").last)
        #expect(mail.contains("headers[].name"))
        #expect(mail.contains("Example: <code>482913</code>"))
    }

    @Test func `the page is the same with and without a key, and names nothing stored`()
        async throws
    {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        _ = await fixture.ask(.post, "/api/workspaces", json: ["label": "of-a-worker"])
        let response = await fixture.site.responder(
            Request(method: .get, target: "/api/docs", headers: ["Host": "127.0.0.1:7070"]))
        #expect(response.status == 200)
        #expect(response.headers["Set-Cookie"] == nil)
        guard case .bytes(let bytes) = response.body else { return }
        let open = String(decoding: bytes, as: UTF8.self)
        let page = await fixture.page("/api/docs", device: device)
        #expect(page.text == open)
        #expect(!open.contains("of-a-worker"))
        #expect(!open.contains(FoyerFixture.key))
    }

    /// What a page's `pre` contains.
    private func commands(_ page: String) -> [String] {
        let entities = ["&quot;": "\"", "&#39;": "'", "&lt;": "<", "&gt;": ">"]
        return page.split(separator: "<pre class=\"code\"").dropFirst().map { part in
            let text = part.drop { $0 != ">" }.dropFirst()
            // `atlas` stands for an app.
            let command = (text.split(separator: "</pre>").first.map { String($0) } ?? "")
                .replacing("/backend/atlas", with: "/backend/socoto").replacing(
                    "atlas", with: "mystica")
            return entities.reduce(command) { $0.replacing($1.key, with: $1.value) }.replacing(
                "&amp;", with: "&")
        }
    }

    @Test func `the examples are valid requests`() async throws {
        let fixture = try await FoyerFixture()
        let all = commands(await fixture.page("/api/docs").text)
        #expect(all.count > 100)
        for command in all {
            let method =
                command.split(separator: "-X ").dropFirst().first.map {
                    String($0.prefix { $0 != " " })
                } ?? (command.contains(" -d '") ? "POST" : "GET")
            let url = try #require(command.split(separator: "'http://127.0.0.1:7070").last)
            let target = String(url.prefix { $0 != "'" })
            // One waits, one imports a file, one writes a folder.
            if target.contains("/wait") || command.contains("@traffic.har")
                || method == "POST" && target == "/api/apps"
            {
                continue
            }
            let body = command.split(separator: " -d '").dropFirst().first.map {
                String($0.dropLast())
            }
            let response = await fixture.ask(
                Method(rawValue: method), target, text: body)
            // The ids and the digest of the examples do not exist, and here neither does Chromium.
            #expect(
                response.status < 400 || [404, 409, 503].contains(response.status),
                "\(command) \(response.status) \(response.json.description)")
        }
    }
}
