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

    @Test func `a cURL command survives every quote`() async throws {
        let command = Curl.command(try await detail())
        #expect(
            command == #"""
                curl -g -sS -X POST 'http://127.0.0.1:7071/auth/me?x=1' \
                  -H 'Content-Type: application/json' \
                  --data-raw '{"it":"can'\''t"}'
                """#)
    }

    @Test func `a cURL command sends brackets and an empty field as they were`() async throws {
        var detail = try await detail()
        detail.exchange.url = "http://127.0.0.1:7071/a?ids[]={1,2}"
        detail.requestHeaders.add("X-Empty", "")
        let command = Curl.command(detail)
        #expect(command.hasPrefix("curl -g "))
        #expect(command.contains("-H 'X-Empty;'"))
    }

    @Test func `a HAR has what its readers demand`() async throws {
        let har = HAR.archive([try await detail()], version: "1.0")
        let entry = har["log"]?["entries"]?[0]
        #expect(har["log"]?["version"] == "1.2")
        #expect(entry?["request"]?["method"] == "POST")
        #expect(entry?["request"]?["queryString"]?[0]?["name"] == "x")
        #expect(entry?["response"]?["content"]?["text"] == #"{"ok":true}"#)
        #expect(entry?["time"] == 2.5)
    }

    @Test(arguments: [("127.0.0.1:7071", "127.0.0.1"), ("[::1]:443", "::1"), (nil, "")])
    func `a HAR names the server by its address alone`(_ remote: String?, _ address: String)
        async throws
    {
        var detail = try await detail()
        detail.remoteAddress = remote
        let har = HAR.archive([detail], version: "1.0")
        #expect(har["log"]?["entries"]?[0]?["serverIPAddress"] == .string(address))
    }
}
