import HTTPServer
import Support
import Testing
import Web

/// Who refuses what: we say so in our own words and headers, except where
/// libmicrohttpd answers before it asks us.
@Suite(.timeLimit(.minutes(10))) struct RefusalTests {
    /// Everything that is sent back to `request`, and whom it asked.
    private func all(_ request: String, _ asked: Counter = Counter()) async throws -> String {
        let server = try Server(ServerConfiguration(port: 0)) { _ in
            asked.add()
            return Response(status: 200)
        }
        let client = try RawClient(port: server.port)
        await client.send(request)
        let text = await client.all()
        await server.stop()
        return text
    }

    @Test(arguments: [
        "GET / HTTP/1.1\r\nA: b\r\n\r\n",
        "GET /a b HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET / HTTP/1.1\nHost: x\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\nA: b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nA: b\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\n\n",
        "GE(T / HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET{} / HTTP/1.1\r\nHost: x\r\n\r\n",
        "G\u{E9}T / HTTP/1.1\r\nHost: x\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n",
    ]) func `what is malformed is refused once and in our words`(request: String) async throws {
        let asked = Counter()
        let text = try await all(request, asked)
        #expect(text.hasPrefix("HTTP/1.1 400 "))
        #expect(text.contains("application/problem+json"))
        #expect(text.ranges(of: "HTTP/1.1 ").count == 1)
        #expect(asked.count == 0)
    }

    /// Of libmicrohttpd 0.9.75: it judges these before anything of ours runs.
    @Test(arguments: [
        ("GET / HTTP/1.1\r\nHost\r\n\r\n", 400, 1), ("GET / HTTP/3.0\r\nHost: x\r\n\r\n", 505, 1),
        ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n", 400, 2),
        (
            "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: " + String(repeating: "9", count: 30)
                + "\r\n\r\n", 413, 2
        ),
        (
            "GET / HTTP/1.1\r\nHost: x\r\nA: " + String(repeating: "a", count: 100 << 10)
                + "\r\n\r\n", 431, 1
        ),
        (
            "GET /" + String(repeating: "a", count: 100 << 10) + " HTTP/1.1\r\nHost: x\r\n\r\n",
            414, 1
        ),
    ]) func `what libmicrohttpd refuses by itself lacks our headers`(
        request: String, status: Int, heads: Int
    ) async throws {
        let asked = Counter()
        let text = try await all(request, asked)
        #expect(text.hasPrefix("HTTP/1.1 \(status) "))
        #expect(!text.contains("application/problem+json"))
        #expect(text.ranges(of: "HTTP/1.1 ").count == heads)
        #expect(asked.count == 0)
    }
}
