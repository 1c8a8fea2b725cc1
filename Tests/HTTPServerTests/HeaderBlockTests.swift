import HTTPServer
import Support
import Testing
import Web

/// Requests that libmicrohttpd would read otherwise than they were sent.
@Suite(.timeLimit(.minutes(10))) struct HeaderBlockTests {
    /// What the server answers to `request`, and whom it asked.
    private func answer(_ request: String, _ asked: Counter = Counter(), piecewise: Bool = false)
        async throws -> RawAnswer
    {
        let server = try Server(ServerConfiguration(port: 0)) { request in
            asked.add()
            let text = request.headers.fields.map { "\($0.name)=\($0.value)" }.joined(
                separator: "|")
            return Response(status: 200, body: .bytes(Array(text.utf8)))
        }
        let client = try RawClient(port: server.port)
        if piecewise {
            for byte in request.utf8 { await client.send([byte]) }
        } else {
            await client.send(request)
        }
        let answer = try await client.answer()
        await server.stop()
        return answer
    }

    @Test(arguments: [
        "GET / HTTP/1.1\r\nHost: x\0evil\r\nA: b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nA: b\0\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nA: \0b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost:x\0\r\nA:b\r\nC:d\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n\0\r\nC: d\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\n\0: b\r\n\r\n",
        "GET /\0a HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /?a\0b HTTP/1.1\r\nHost: x\r\n\r\n",
        "G\0ET / HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET / HTTP/1.1\0\r\nHost: x\r\n\r\n",
    ]) func `a zero byte hides nothing`(_ request: String) async throws {
        let asked = Counter()
        let answer = try await answer(request, asked)
        #expect([400, 505].contains(answer.status))
        #expect(answer["Connection"] == "close")
        #expect(asked.count == 0)
    }

    @Test(arguments: [
        "Host: x\r\nA: b\r\n c\r\n", "Host: x\r\nA: b\r\n\tc\r\nD: e\r\n",
        "Hos: evil\r\n t\r\nHost: x\r\n", "Host: x\r\nA:\r\n b\r\n",
        "Host: x\r\nA: b\r\n \r\nC: d\r\n", "Host: x\r\nA: b\r\n c\r\n d\r\n",
    ]) func `a folded line becomes part of nothing`(_ fields: String) async throws {
        let asked = Counter()
        let answer = try await answer("GET / HTTP/1.1\r\n\(fields)\r\n", asked)
        #expect(answer.status == 400)
        #expect(asked.count == 0)
    }

    @Test(arguments: [
        ("Host: x\r\nA: b\r\n", "Host=x|A=b"), ("Host:x\r\nA:b\r\n", "Host=x|A=b"),
        ("Host: \t x\r\nA:\r\nB: \r\nC:   \r\n", "Host=x|A=|B=|C="),
        ("Host: x\r\nCookie: a=b; c=\"d\"\r\nE: f:g\r\n", "Host=x|Cookie=a=b; c=\"d\"|E=f:g"),
    ]) func `every other spelling is taken`(_ fields: String, _ text: String) async throws {
        for target in ["/", "/a?b=c&d", "/%00?%00"] {
            let request = "GET \(target) HTTP/1.1\r\n\(fields)\r\n"
            #expect(try await answer(request).text == text)
            #expect(try await answer(request, piecewise: true).text == text)
        }
    }

    @Test func `blanks behind a value are nobody's harm`() async throws {
        let answer = try await answer("GET / HTTP/1.1\r\nA: b  \r\nHost: x\r\n\r\n")
        #expect(answer.status == 200)
    }

    @Test func `an old client without headers is taken`() async throws {
        #expect(try await answer("GET / HTTP/1.0\r\n\r\n").status == 200)
    }

    @Test func `a hundred long headers are taken in any pieces`() async throws {
        let value = String(repeating: "v", count: 100)
        let fields = (0..<100).map { "h\($0): \(value)\r\n" }.joined()
        let answer = try await answer(
            "\r\nPOST /?q HTTP/1.1\r\nHost: x\r\n\(fields)\r\n", piecewise: true)
        #expect(answer.status == 200)
        #expect(answer.text.split(separator: "|").count == 101)
    }
}
