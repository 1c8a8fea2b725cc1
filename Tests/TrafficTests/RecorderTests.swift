import Core
import Support
import Testing
import Web

@testable import Traffic

@Suite(.timeLimit(.minutes(10))) struct RecorderTests {
    @Test func `an exchange is listed as soon as its caller has the response`() async throws {
        let fixture = try TrafficFixture { _ in TrafficFixture.ok() }
        let sent = await fixture.send(as: fixture.context())
        let page = try await fixture.store.list(ExchangeQuery(workspace: "main"))
        #expect(page.items.map(\.id) == [sent.id])
        #expect(page.total == 1)
        #expect(page.items.first?.status == 200)
    }

    @Test func `passwords are not stored and tokens are stored sealed`() async throws {
        let fixture = try TrafficFixture { _ in
            TrafficFixture.ok(#"{"access_token":"opaque-token-of-42"}"#)
        }
        var exchangeContext = fixture.context(passwords: ["correct horse"])
        exchangeContext.extractTokens = { _ in ["opaque-token-of-42"] }
        let sent = await fixture.send(body: #"{"password":"correct horse"}"#, as: exchangeContext)
        let detail = try #require(try await fixture.store.detail(sent.id, in: "main"))
        #expect(detail.requestBody.text == #"{"password":"‹password›"}"#)
        #expect(detail.responseBody.text == #"{"access_token":"‹token:0›"}"#)
        #expect(detail.masked(detail.responseBody.text ?? "") == #"{"access_token":"opaque…f-42"}"#)
        #expect(
            try await fixture.store.reveal(token: 0, of: sent.id, in: "main")
                == "opaque-token-of-42")
    }

    @Test func `a transport failure is recorded as a failure`() async throws {
        let fixture = try TrafficFixture { _ in
            .failed(TransportFailure(.timeout, "after 30 s"))
        }
        let sent = await fixture.send(as: fixture.context())
        let detail = try await fixture.store.detail(sent.id, in: "main")
        #expect(detail?.exchange.status == nil)
        #expect(detail?.exchange.failure?.kind == .timeout)
        let event = fixture.hub.events(in: "main").last
        #expect(event?.subject == sent.id)
        #expect(event?.details["failure"] == "timeout")
    }

    @Test func `a body is stored up to its limit, with its full length`() async throws {
        let fixture = try TrafficFixture { _ in TrafficFixture.ok() }
        let sent = await fixture.send(
            body: String(repeating: "x", count: 100_000), as: fixture.context())
        let detail = try #require(try await fixture.store.detail(sent.id, in: "main"))
        #expect(detail.requestBody.bytes.count == 65_536)
        #expect(detail.requestBody.length == 100_000)
        #expect(detail.requestBody.isTruncated)
    }

    @Test func `a body that is not text is stored as bytes`() async throws {
        let fixture = try TrafficFixture { _ in
            .responded(UpstreamResponse(status: 200, body: [0xFF, 0x00, 0xFE]))
        }
        let sent = await fixture.send(as: fixture.context())
        let detail = try await fixture.store.detail(sent.id, in: "main")
        #expect(detail?.responseBody.text == nil)
        #expect(detail?.responseBody.bytes == [0xFF, 0x00, 0xFE])
    }
}
