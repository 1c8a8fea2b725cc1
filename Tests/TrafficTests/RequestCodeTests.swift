import FoundationEssentials
import Support
import Testing
import Web

@testable import Traffic

/// A copied request is the recorded one, whatever its parts contain.
@Suite(.timeLimit(.minutes(10))) struct RequestCodeTests {
    static let texts = [
        "plain", "it's \"quoted\"", #"back\slash \n \u0041 \(x) $HOME `id` !! %s ${x} #{y}"#,
        "two\nlines\r\nand\ttabs", "Größe 漢字 🙂", "'", "'''\"\"\"", "@file", "=x", "\\",
    ]

    private func detail(_ text: String, body: String? = nil) async throws -> ExchangeDetail {
        let fixture = try TrafficFixture { _ in TrafficFixture.ok() }
        let sent = await fixture.send("/echo?x=1", body: body ?? text, as: fixture.context())
        return try #require(try await fixture.store.detail(sent.id, in: "main"))
    }

    @Test(arguments: RequestCode.allCases, texts)
    func `a text stands in every language as one literal`(_ code: RequestCode, _ text: String)
        async throws
    {
        let program = code.text(try await detail(text))
        switch code {
        case .curl, .httpie:
            #expect(program.contains("'" + text.replacing("'", with: #"'\''"#) + "'"))
        case .fetch, .requests: #expect(program.contains(JSON.string(text).description))
        case .urlsession:
            let literal = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
                .replacing("\r\n", with: "\\r\\n").replacing("\n", with: "\\n").replacing(
                    "\t", with: "\\t")
            #expect(program.contains("Data(\"\(literal)\".utf8)"))
        }
    }

    @Test func `a URL that Foundation would encode again is encoded for Swift`() async throws {
        var detail = try await detail("x")
        detail.exchange.url = "http://127.0.0.1:7071/a?ids[]=%27&ü=1"
        let expected = "URL(string: \"http://127.0.0.1:7071/a?ids%5B%5D=%27&%C3%BC=1\")!"
        #expect(RequestCode.urlsession.text(detail).contains(expected))
    }

    @Test(arguments: RequestCode.allCases)
    func `a binary body is sent byte by byte`(_ code: RequestCode) async throws {
        var detail = try await detail("x")
        let bytes: [UInt8] = [0, 0xFF, 0x27, 0x0A]
        detail.requestBody = .init(text: nil, binary: bytes, length: 4)
        #expect(code.text(detail).contains(Data(bytes).base64EncodedString()))
    }

    @Test(arguments: RequestCode.allCases)
    func `a body that is not the one sent is announced`(_ code: RequestCode) async throws {
        var detail = try await detail("x")
        detail.requestBody = .init(
            text: String(repeating: "x", count: ExchangeRecord.bodyLimit), length: 1 << 20)
        #expect(code.text(detail).contains("Only the first"))
        #expect(["#", "/"].contains(code.text(detail).first))
    }

    @Test(arguments: RequestCode.allCases)
    func `tokens are masked unless they are given`(_ code: RequestCode) async throws {
        let fixture = try TrafficFixture { _ in TrafficFixture.ok() }
        let token = "secret-token-0123456789"
        let sent = await fixture.send(
            body: "{\"token\":\"\(token)\"}", as: fixture.context(tokens: [token]))
        let detail = try #require(try await fixture.store.detail(sent.id, in: "main"))
        #expect(!code.text(detail).contains(token))
        #expect(code.text(detail, tokens: [token]).contains(token))
    }
}
