import HTTPServer
import Support
import Testing
import Web

/// Streamed responses, which continue as long as their client reads.
@Suite(.timeLimit(.minutes(10))) struct StreamTests {
    private typealias Chunks = AsyncStream<[UInt8]>

    private static let get = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"

    /// A server that streams `chunks` at `/`, and responds with 204 at every other target.
    private func serve(
        _ configuration: ServerConfiguration = ServerConfiguration(port: 0),
        _ chunks: @escaping @Sendable () -> AsyncStream<[UInt8]>
    ) throws -> Server {
        try Server(configuration) { request in
            guard request.target == "/" else { return Response(status: 204) }
            return Response(
                status: 200, headers: ["Content-Type": "text/event-stream"], body: .stream(chunks())
            )
        }
    }

    /// Endless chunks, produced as fast as they are read.
    private static func endless(_ ended: Counter) -> AsyncStream<[UInt8]> {
        Chunks(unfolding: { [UInt8](repeating: 0x61, count: 16 << 10) }, onCancel: { ended.add() })
    }

    @Test func `each chunk is sent as soon as it is produced`() async throws {
        let (chunks, continuation) = Chunks.makeStream()
        let server = try serve { chunks }
        let client = try RawClient(port: server.port)
        await client.send(Self.get)
        for number in 0..<3 {
            continuation.yield(Array("data: \(number)\n\n".utf8))
            #expect(await client.text(until: "data: \(number)\n\n") != nil)
        }
        await server.stop()
    }

    @Test func `a stream that ends leaves the connection usable`() async throws {
        let server = try serve {
            Chunks { continuation in
                for text in ["a", "", "bc"] { continuation.yield(Array(text.utf8)) }
                continuation.finish()
            }
        }
        let client = try RawClient(port: server.port)
        for _ in 0..<2 {
            await client.send(Self.get)
            #expect(try await client.answer().text == "abc")
        }
        await server.stop()
    }

    @Test func `a large stream arrives complete and in order`() async throws {
        let server = try serve {
            Chunks { continuation in
                for number in 0..<200_000 { continuation.yield(Array("\(number)\n".utf8)) }
                continuation.finish()
            }
        }
        let client = try RawClient(port: server.port)
        await client.send(Self.get)
        let numbers = try await client.answer().text.split(separator: "\n")
        #expect(numbers == (0..<200_000).map { "\($0)" })
        await server.stop()
    }

    @Test func `HEAD of a stream gets headers only and ends the stream`() async throws {
        let ended = Counter()
        let server = try serve {
            Chunks { continuation in continuation.onTermination = { _ in ended.add() } }
        }
        let client = try RawClient(port: server.port)
        await client.send("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try await client.answer(toHead: true).status == 200)
        await ended.reached(1)
        await server.stop()
    }

    @Test func `a silent stream ends when its client disconnects`() async throws {
        let ended = Counter()
        var configuration = ServerConfiguration(port: 0)
        configuration.streamStallTimeout = .milliseconds(40)
        let server = try serve(configuration) {
            Chunks { continuation in
                continuation.yield(Array("hello".utf8))
                continuation.onTermination = { _ in ended.add() }
            }
        }
        let client = try RawClient(port: server.port)
        await client.send(Self.get)
        #expect(await client.text(until: "hello") != nil)
        client.leave()
        await ended.reached(1)
        await server.stop()
    }

    @Test func `a busy stream ends when its client disconnects`() async throws {
        let ended = Counter()
        let server = try serve { Self.endless(ended) }
        let client = try RawClient(port: server.port)
        await client.send(Self.get)
        #expect(await client.text(until: "aaaa") != nil)
        client.leave()
        await ended.reached(1)
        await server.stop()
    }

    @Test func `a client that never reads is disconnected and does not block others`() async throws
    {
        let ended = Counter()
        var configuration = ServerConfiguration(port: 0)
        configuration.streamBufferSize = 4096
        configuration.streamStallTimeout = .milliseconds(200)
        let server = try serve(configuration) { Self.endless(ended) }
        let idle = try (0..<8).map { _ in try RawClient(port: server.port, window: 4096) }
        for client in idle { await client.send(Self.get) }
        let other = try RawClient(port: server.port)
        await other.send("GET /other HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try await other.answer().status == 204)
        await ended.reached(idle.count)
        await server.stop()
    }

    @Test func `a silent event stream sends heartbeats`() async throws {
        var configuration = ServerConfiguration(port: 0)
        configuration.heartbeatInterval = .milliseconds(40)
        let (chunks, continuation) = Chunks.makeStream()
        let server = try serve(configuration) { chunks }
        let client = try RawClient(port: server.port)
        await client.send(Self.get)
        for _ in 0..<3 { #expect(await client.text(until: ": \n\n") != nil) }
        continuation.finish()
        await server.stop()
    }

    @Test func `streams leave connections free for pages`() async throws {
        let ended = Counter()
        var configuration = ServerConfiguration(port: 0)
        configuration.connectionLimit = 8
        configuration.streamStallTimeout = .milliseconds(40)
        let server = try serve(configuration) {
            Chunks { continuation in
                continuation.yield(Array("hello".utf8))
                continuation.onTermination = { _ in ended.add() }
            }
        }
        let listeners = try (0..<6).map { _ in try RawClient(port: server.port) }
        for listener in listeners {
            await listener.send(Self.get)
            #expect(await listener.text(until: "hello") != nil)
        }
        let seventh = try RawClient(port: server.port)
        await seventh.send(Self.get)
        #expect(try await seventh.answer().status == 503)
        await ended.reached(1)
        let page = try RawClient(port: server.port)
        await page.send("GET /page HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try await page.answer().status == 204)

        listeners[0].leave()
        await ended.reached(2)
        // The connection is free shortly after the stream has ended.
        var text: String?
        while text == nil {
            let next = try RawClient(port: server.port)
            await next.send(Self.get)
            text = await next.text(until: "hello")
        }
        await server.stop()
    }
}
