import Support
import Testing
import Web

@testable import Console

/// A new request goes to a backend of an app and nowhere else.
@Suite(.timeLimit(.minutes(10))) struct NewRequestTests {
    @Test func `a request with a session's token is sent and recorded as manual`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let form = await fixture.page("/traffic/new?app=mystica&device=\(device)")
        #expect(form.text.contains("value=\"mystica/embedded\" selected"))
        let sent = await fixture.submit(
            "/traffic/new",
            [
                ("target", "mystica/embedded"), ("device", device), ("token", "yes"),
                ("method", "get"), ("path", "/auth/me"), ("headers", "Accept: application/json"),
            ])
        #expect(sent.status == 303)
        let id = try #require(sent.location?.split(separator: "/").last.map(String.init))
        let exchange = await fixture.ask(.get, "/api/exchanges/\(id)")
        #expect(exchange.json["status"] == 200 && exchange.json["cause"] == "manual")
        #expect(!(await fixture.leaks(exchange.json.description, device: device)))
    }

    @Test func `the API sends one even while recording is paused`() async throws {
        let fixture = try await FoyerFixture()
        await fixture.succeed(.patch, "/api/exchanges/recording", json: ["paused": true])
        let sent = await fixture.succeed(
            .post, "/api/exchanges",
            json: [
                "app": "mystica", "method": "POST", "path": "/auth/login",
                "headers": [["name": "Content-Type", "value": "application/json"]],
                "body": "{\"email\":\"nora@example.com\",\"password\":\"correct horse\"}",
            ])
        #expect(sent["status"] != .null && sent["method"] == "POST")
        #expect(!sent.description.contains("correct horse"))
    }

    @Test(
        arguments: [
            (["path": "/../../bob"], "/path"), (["path": "/%2e%2E/x"], "/path"),
            (["path": "https://evil.example/"], "/path"),
            (["path": "http://127.0.0.1:7071/main/mysticaX"], "/path"), (["path": "/a b"], "/path"),
            (["method": "G3T"], "/method"), (["backend": "none"], "/backend"),
            (["device": "dev_none"], "/device"), (["useAccessToken": true], "/device"),
            (["headers": [["name": "X", "value": "a\r\nb"]]], "/headers/0"),
        ] as [(JSON, String)])
    func `an invalid part is named and nothing is sent`(_ part: JSON, _ pointer: String)
        async throws
    {
        let fixture = try await FoyerFixture()
        guard case .object(let members) = part else { return }
        let response = await fixture.ask(
            .post, "/api/exchanges", json: .object([.init("app", "mystica")] + members))
        #expect(response.status == 400)
        #expect(response.json["errors"]?[0]?["pointer"]?.string == pointer)
        #expect(await fixture.ask(.get, "/api/exchanges").json["total"] == 0)
    }

    @Test func `the form keeps what was typed and shows the error at its field`() async throws {
        let fixture = try await FoyerFixture()
        let page = await fixture.submit(
            "/traffic/new",
            [
                ("target", "bob/embedded"), ("method", "POST"), ("path", "https://evil.example/"),
                ("headers", "X-Test: 1"), ("body", "kept"),
            ])
        #expect(page.status == 400)
        for text in ["new.path.error", "https://evil.example/", "X-Test: 1", "kept"] {
            #expect(page.text.contains(text), "\(text)")
        }
    }
}
