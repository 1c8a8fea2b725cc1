import HTTPClient
import Support
import Testing
import Web

/// An answer whose body is taken piece by piece.
@Suite struct OpeningTests {
    private static let large = 8 << 20

    @Test func `no more of it is held than the bound and one piece`()
        async throws
    {
        let piece = [UInt8](repeating: 0x62, count: 1 << 20)
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(Self.large)\r\n\r\n"
        let server = try ScriptedServer { _ in
            ScriptedReply(
                [.send(Array(head.utf8))]
                    + (0..<(Self.large >> 20)).map { _ in .send(piece) })
        }
        defer { server.stop() }
        let transport = try Client(ClientConfiguration()).transport
        let opened = await transport.open(
            OutboundRequest(
                method: .get, url: server.url, timeout: .seconds(20)), nil)
        let body = try #require(opened.rest?.body)
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
}
