import Support
import Testing
import Web

@testable import Traffic

@Suite(.timeLimit(.minutes(10))) struct ExportTests {
    private func detail() async throws -> ExchangeDetail {
        let fixture = try TrafficFixture { _ in TrafficFixture.ok(#"{"ok":true}"#) }
        let sent = await fixture.send(
            "/auth/me?x=1", body: #"{"it":"can't"}"#, as: fixture.context(tokens: []))
        return try #require(try await fixture.store.detail(sent.id, in: "main"))
    }

    @Test func `a cURL command escapes quotes in the body`() async throws {
        let command = RequestCode.curl.text(try await detail())
        #expect(
            command == #"""
                curl -g -sS -X POST 'http://127.0.0.1:7071/auth/me?x=1' \
                  -H 'Content-Type: application/json' \
                  --data-raw '{"it":"can'\''t"}'
                """#)
    }

    @Test func `a cURL command preserves brackets and empty header fields`() async throws {
        var detail = try await detail()
        detail.exchange.url = "http://127.0.0.1:7071/a?ids[]={1,2}"
        detail.requestHeaders.add("X-Empty", "")
        let command = RequestCode.curl.text(detail)
        #expect(command.hasPrefix("curl -g "))
        #expect(command.contains("-H 'X-Empty;'"))
    }

    @Test func `a HAR has the members that its readers require`() async throws {
        let har = HAR.archive([try await detail()], version: "1.0")
        let entry = har["log"]?["entries"]?[0]
        #expect(har["log"]?["version"] == "1.2")
        #expect(entry?["request"]?["method"] == "POST")
        #expect(entry?["request"]?["queryString"]?[0]?["name"] == "x")
        #expect(entry?["response"]?["content"]?["text"] == #"{"ok":true}"#)
        #expect(entry?["time"] == 2.5)
    }

    @Test(arguments: [("127.0.0.1:7071", "127.0.0.1"), ("[::1]:443", "::1"), (nil, "")])
    func `a HAR contains the server's address without its port`(
        _ remote: String?, _ address: String
    )
        async throws
    {
        var detail = try await detail()
        detail.remoteAddress = remote
        let har = HAR.archive([detail], version: "1.0")
        #expect(har["log"]?["entries"]?[0]?["serverIPAddress"] == .string(address))
    }
}
