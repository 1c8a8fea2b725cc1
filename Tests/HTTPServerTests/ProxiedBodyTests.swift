import HTTPServer
import Support
import Synchronization
import Testing
import Web

/// Proxied response bodies, which are forwarded as they arrive.
@Suite(.timeLimit(.minutes(10))) struct ProxiedBodyTests {
    /// A body of four bytes that ends when the latch is opened.
    private final class Body: Sendable {
        let latch = Latch()
        let cancellations = Counter()
        let ends = Counter()
        private let isStarted = Mutex(false)

        func stream(length: Int?) -> BodyStream {
            BodyStream(
                length: length,
                next: { [self] in
                    let isFirst = isStarted.withLock { isStarted in
                        defer { isStarted = true }
                        return !isStarted
                    }
                    if isFirst { return .bytes(Array("four".utf8)) }
                    await latch.wait()
                    ends.add()
                    return .end
                }, cancel: { [self] in cancellations.add() })
        }
    }

    private func serve(_ body: Body, length: Int?) throws -> (server: Server, client: RawClient) {
        let server = try Server(ServerConfiguration(port: 0)) { request in
            guard request.target == "/" else { return Response(status: 204) }
            return Response(status: 200, body: .proxied(body.stream(length: length)))
        }
        return (server, try RawClient(port: server.port))
    }

    @Test func `a body that was read completely ends normally`() async throws {
        let body = Body()
        let (server, client) = try serve(body, length: 4)
        await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try await client.answer().text == "four")
        // The next response on the connection follows only after the first is complete.
        await client.send("GET /next HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try await client.answer().status == 204)
        #expect(body.cancellations.count == 0)
        body.latch.open()
        await body.ends.reached(1)
        #expect(body.cancellations.count == 0)
        await server.stop()
    }

    @Test func `a body is canceled when its client disconnects`() async throws {
        let body = Body()
        let (server, client) = try serve(body, length: 8)
        await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(await client.text(until: "four") != nil)
        client.leave()
        await body.cancellations.reached(1)
        body.latch.open()
        await server.stop()
    }

    @Test(arguments: [nil, 8] as [Int?])
    func `an aborted body is forwarded up to the abort and not completed`(length: Int?)
        async throws
    {
        let chunks = ScriptedChunks([.bytes(Array("four".utf8)), .aborted])
        let server = try Server(ServerConfiguration(port: 0)) { _ in
            Response(
                status: 200,
                body: .proxied(BodyStream(length: length, next: { chunks.next() }, cancel: {})))
        }
        let client = try RawClient(port: server.port)
        await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        let received = await client.all()
        #expect(received.contains("four"))
        #expect(!received.hasSuffix("0\r\n\r\n"))
        await server.stop()
    }

    /// Body chunks that are available immediately.
    private final class ScriptedChunks: Sendable {
        private let remaining: Mutex<[BodyStream.Chunk]>
        init(_ chunks: [BodyStream.Chunk]) { remaining = Mutex(chunks) }
        func next() -> BodyStream.Chunk { remaining.withLock { $0.removeFirst() } }
    }
}
