import HTTPClient
import Support
import Testing
import Web

/// Responses whose body is read as a stream.
@Suite(.timeLimit(.minutes(10))) struct StreamOpeningTests {
    private static let large = 8 << 20

    @Test func `a streamed body is buffered up to the limit plus one chunk`()
        async throws
    {
        let chunk = [UInt8](repeating: 0x62, count: 1 << 20)
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(Self.large)\r\n\r\n"
        let server = try ScriptedServer { _ in
            ScriptedReply(
                [.send(Array(head.utf8))] + (0..<(Self.large >> 20)).map { _ in .send(chunk) })
        }
        defer { server.stop() }
        let transport = try Client(ClientConfiguration()).transport
        let streamed = await transport.openStream(
            OutboundRequest(method: .get, url: server.url, timeout: .seconds(20)), nil)
        let body = try #require(streamed.body)
        var sizes: [Int] = []
        while case .bytes(let bytes) = await body.next() {
            sizes.append(bytes.count)
            // A slow reader lets the buffer fill to its limit.
            for _ in 0..<100 { await Task.yield() }
        }
        #expect(sizes.reduce(0, +) == Self.large)
        // libcurl delivers at most its own buffer at once.
        #expect((sizes.max() ?? 0) <= (256 << 10) + (64 << 10))
    }

    @Test func `streams that hang leave transfer slots for other requests`() async throws {
        let server = try ScriptedServer { request in request.target == "/" ? .answer(200) : .silence
        }
        defer { server.stop() }
        var configuration = ClientConfiguration()
        configuration.transferLimit = 4
        let transport = try Client(configuration).transport
        let request = OutboundRequest(
            method: .get, url: server.url + "/hangs", timeout: .seconds(20))
        let tasks = (0..<3).map { _ in Task { await transport.openStream(request, nil) } }
        await server.received(3)
        let failure = await transport.openStream(request, nil).result.failure
        #expect(failure?.kind == .connection)
        #expect(failure?.detail.contains("3 requests") == true)
        let response = try await transport.get(server.url + "/").response()
        #expect(response.status == 200)
        for task in tasks { task.cancel() }
        for task in tasks { _ = await task.value }
        // Their slots are free again.
        let next = Task { await transport.openStream(request, nil) }
        await server.received(5)
        next.cancel()
        #expect(await next.value.result.failure?.kind == .cancelled)
    }
}
