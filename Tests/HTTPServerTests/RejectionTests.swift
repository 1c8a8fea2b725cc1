import HTTPServer
import Support
import Testing
import Web

/// Rejected requests. The server responds with a problem and its own headers, except where
/// libmicrohttpd responds before it calls the server.
@Suite(.timeLimit(.minutes(10))) struct RejectionTests {
    /// Everything a new server sends back to `request`; `calls` counts the calls of its responder.
    private func receiveAll(_ request: String, _ calls: Counter = Counter()) async throws -> String
    {
        let server = try Server(ServerConfiguration(port: 0)) { _ in
            calls.add()
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
    ]) func `a malformed request gets exactly one response, a problem`(request: String) async throws
    {
        let calls = Counter()
        let text = try await receiveAll(request, calls)
        #expect(text.hasPrefix("HTTP/1.1 400 "))
        #expect(text.contains("application/problem+json"))
        #expect(text.ranges(of: "HTTP/1.1 ").count == 1)
        #expect(calls.count == 0)
    }

    /// libmicrohttpd 0.9.75 rejects these before any code of the server runs.
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
    ]) func `a request that libmicrohttpd itself rejects gets no problem`(
        request: String, status: Int, headCount: Int
    ) async throws {
        let calls = Counter()
        let text = try await receiveAll(request, calls)
        #expect(text.hasPrefix("HTTP/1.1 \(status) "))
        #expect(!text.contains("application/problem+json"))
        #expect(text.ranges(of: "HTTP/1.1 ").count == headCount)
        #expect(calls.count == 0)
    }
}
