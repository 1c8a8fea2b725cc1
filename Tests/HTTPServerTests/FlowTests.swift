import HTTPServer
import Support
import Synchronization
import Testing
import Web

/// Somebody else's body that is handed on as it comes.
@Suite(.timeLimit(.minutes(10))) struct FlowTests {
    /// A body of four bytes that ends when the latch is open.
    private final class Body: Sendable {
        let latch = Latch()
        let left = Counter()
        let ended = Counter()
        private let given = Mutex(false)

        func flow(length: Int?) -> BodyStream {
            BodyStream(
                length: length,
                next: { [self] in
                    let isFirst = given.withLock { given in
                        defer { given = true }
                        return !given
                    }
                    if isFirst { return .bytes(Array("four".utf8)) }
                    await latch.wait()
                    ended.add()
                    return .end
                }, cancel: { [self] in left.add() })
        }
    }

    private func serve(_ body: Body, length: Int?) throws -> (server: Server, client: RawClient) {
        let server = try Server(ServerConfiguration(port: 0)) { request in
            guard request.target == "/" else { return Response(status: 204) }
            return Response(status: 200, body: .proxied(body.flow(length: length)))
        }
        return (server, try RawClient(port: server.port))
    }

    @Test func `one that was read whole comes to its own end`() async throws {
        let body = Body()
        let (server, client) = try serve(body, length: 4)
        await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try await client.answer().text == "four")
        // The next answer on the connection comes after the first is over.
        await client.send("GET /next HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try await client.answer().status == 204)
        #expect(body.left.count == 0)
        body.latch.open()
        await body.ended.reached(1)
        #expect(body.left.count == 0)
        await server.stop()
    }

    @Test func `one whose client leaves in the middle is not wanted`() async throws {
        let body = Body()
        let (server, client) = try serve(body, length: 8)
        await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(await client.text(until: "four") != nil)
        client.leave()
        await body.left.reached(1)
        body.latch.open()
        await server.stop()
    }

    @Test(arguments: [nil, 8] as [Int?])
    func `of one that breaks off what had come is read, and it ends torn`(length: Int?) async throws
    {
        let pieces = Pieces([.bytes(Array("four".utf8)), .aborted])
        let server = try Server(ServerConfiguration(port: 0)) { _ in
            Response(
                status: 200,
                body: .proxied(BodyStream(length: length, next: { pieces.take() }, cancel: {})))
        }
        let client = try RawClient(port: server.port)
        await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        let all = await client.all()
        #expect(all.contains("four"))
        #expect(!all.hasSuffix("0\r\n\r\n"))
        await server.stop()
    }

    /// Pieces that are there at once.
    private final class Pieces: Sendable {
        private let left: Mutex<[BodyStream.Chunk]>
        init(_ pieces: [BodyStream.Chunk]) { left = Mutex(pieces) }
        func take() -> BodyStream.Chunk { left.withLock { $0.removeFirst() } }
    }
}
