import HTTPClient
import Support
import Testing
import Web

/// An answer whose body is taken piece by piece.
@Suite(.timeLimit(.minutes(10))) struct StreamOpeningTests {
    private static let large = 8 << 20

    @Test func `no more of it is held than the bound and one piece`() async throws {
        let piece = [UInt8](repeating: 0x62, count: 1 << 20)
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(Self.large)\r\n\r\n"
        let server = try ScriptedServer { _ in
            ScriptedReply(
                [.send(Array(head.utf8))] + (0..<(Self.large >> 20)).map { _ in .send(piece) })
        }
        defer { server.stop() }
        let transport = try Client(ClientConfiguration()).transport
        let opened = await transport.openStream(
            OutboundRequest(method: .get, url: server.url, timeout: .seconds(20)), nil)
        let body = try #require(opened.body?.stream)
        var sizes: [Int] = []
        while case .bytes(let bytes) = await body.next() {
            sizes.append(bytes.count)
            // Whoever is slow lets it come to the bound.
            for _ in 0..<100 { await Task.yield() }
        }
        #expect(sizes.reduce(0, +) == Self.large)
        // libcurl gives at most its buffer at once.
        #expect((sizes.max() ?? 0) <= (256 << 10) + (64 << 10))
    }

    @Test func `answers that are opened and hang leave room for others`() async throws {
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
        let response = try await transport.get(server.url + "/").answer()
        #expect(response.status == 200)
        for task in tasks { task.cancel() }
        for task in tasks { _ = await task.value }
        // Their room is free again.
        let again = Task { await transport.openStream(request, nil) }
        await server.received(5)
        again.cancel()
        #expect(await again.value.result.failure?.kind == .cancelled)
    }
}
