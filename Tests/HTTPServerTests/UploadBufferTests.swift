import HTTPServer
import Support
import Synchronization
import Testing
import Web

/// A body that is handed over as it comes.
@Suite(.timeLimit(.minutes(10))) struct UploadBufferTests {
    /// What one reader of a body was given.
    private final class Reader: Sendable {
        let latch = Latch()
        private let sizes = Mutex<[Int]>([])

        var most: Int { sizes.withLock { $0.max() ?? 0 } }
        var all: Int { sizes.withLock { $0.reduce(0, +) } }

        func read(_ bodyStream: BodyStream) async -> Bool {
            await latch.wait()
            while true {
                switch await bodyStream.next() {
                case .bytes(let bytes): sizes.withLock { $0.append(bytes.count) }
                case .end: return true
                case .aborted: return false
                }
            }
        }
    }

    @Test func `no more of it is held than the bound and one piece`() async throws {
        let reader = Reader()
        var configuration = ServerConfiguration(port: 0)
        configuration.isStreamingTarget = { _ in true }
        configuration.streamingThreshold = 0
        configuration.streamBufferSize = 16 << 10
        let server = try Server(configuration) { request in
            guard let bodyStream = request.bodyStream else { return Response(status: 400) }
            return Response(status: await reader.read(bodyStream) ? 204 : 500)
        }
        let client = try RawClient(port: server.port)
        let half = [UInt8](repeating: 0x61, count: 128 << 10)
        await client.send(
            "PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: \(2 * half.count)\r\n\r\n")
        // It fits into what the system keeps for a connection.
        await client.send(half)
        reader.latch.open()
        await client.send(half)
        #expect(try await client.answer().status == 204)
        #expect(reader.all == 2 * half.count)
        // A read of libmicrohttpd's is never larger than its memory.
        #expect(reader.most <= (16 << 10) + (64 << 10))
        await server.stop()
    }

    /// A server that hands bodies on as they come.
    private func serve(
        _ change: (inout ServerConfiguration) -> Void, responder: @escaping Responder
    ) throws -> Server {
        var configuration = ServerConfiguration(port: 0)
        configuration.isStreamingTarget = { $0 != "/other" }
        configuration.streamingThreshold = 0
        change(&configuration)
        return try Server(configuration, responder: responder)
    }

    private static let put = "PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n"

    @Test func `who was answered has little time for the rest`() async throws {
        let server = try serve {
            $0.uploadDrainDeadline = .milliseconds(100)
        } responder: { _ in
            Response(status: 401)
        }
        let client = try RawClient(port: server.port)
        await client.send(Self.put)
        // Ends only because the server ends it.
        while await client.send("a") { await Task.yield() }
        await server.stop()
    }

    @Test func `who was answered and sends the rest hears the answer`() async throws {
        // As long as a busy machine needs for the rest.
        let server = try serve {
            $0.uploadDrainDeadline = .seconds(60)
        } responder: { _ in
            Response(status: 401)
        }
        let client = try RawClient(port: server.port)
        await client.send(Self.put)
        await client.send([UInt8](repeating: 0x61, count: 1_000_000))
        #expect(try await client.answer().status == 401)
        await server.stop()
    }

    @Test func `a body that trickles comes to its end`() async throws {
        let reader = Reader()
        reader.latch.open()
        let server = try serve {
            $0.requestDeadline = .milliseconds(200)
            $0.minimumUploadRate = 1 << 30
        } responder: { request in
            guard let bodyStream = request.bodyStream else { return Response(status: 400) }
            return Response(status: await reader.read(bodyStream) ? 204 : 500)
        }
        let client = try RawClient(port: server.port)
        await client.send(Self.put)
        while await client.send("a") { await Task.yield() }
        #expect(reader.all < 1_000_000)
        await server.stop()
    }

    @Test(arguments: [put, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"])
    func `what may last leaves room for all the rest`(request: String) async throws {
        let latch = Latch()
        let server = try serve {
            $0.connectionLimit = 8
        } responder: {
            if $0.target != "/other" { await latch.wait() }
            return Response(status: 204)
        }
        let lasting = try (0..<6).map { _ in try RawClient(port: server.port) }
        for client in lasting { await client.send(request) }
        #expect(await eventually { latch.waiting == 6 })
        let more = try RawClient(port: server.port)
        await more.send(request)
        let refused = try await more.answer()
        #expect(refused.status == 503)
        #expect(refused["Retry-After"] != nil)
        let other = try RawClient(port: server.port)
        await other.send("GET /other HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try await other.answer().status == 204)
        // Their places come free.
        for client in lasting { client.leave() }
        latch.open()
        let isFree = try await eventually {
            let client = try RawClient(port: server.port)
            await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            return (try? await client.answer().status) == 204
        }
        #expect(isFree)
        await server.stop()
    }

    @Test func `while nobody reads it the client's time stands still`() async throws {
        let reader = Reader()
        var configuration = ServerConfiguration(port: 0)
        configuration.isStreamingTarget = { _ in true }
        configuration.streamingThreshold = 0
        configuration.streamBufferSize = 1
        configuration.requestDeadline = .milliseconds(500)
        let server = try Server(configuration) { request in
            guard let bodyStream = request.bodyStream else { return Response(status: 400) }
            return Response(status: await reader.read(bodyStream) ? 204 : 500)
        }
        let client = try RawClient(port: server.port)
        await client.send("PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nab")
        // Another connection, begun later, comes to its deadline first.
        let other = try RawClient(port: server.port)
        await other.send("PUT / HTTP/1.1\r\n")
        #expect(await other.all() == "")
        await client.send("cd")
        reader.latch.open()
        #expect(try await client.answer().status == 204)
        await server.stop()
    }
}
