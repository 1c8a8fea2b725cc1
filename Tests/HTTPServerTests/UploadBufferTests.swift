import HTTPServer
import Support
import Synchronization
import Testing
import Web

/// Request bodies that are streamed to the responder.
@Suite(.timeLimit(.minutes(10))) struct UploadBufferTests {
    /// Reads a body, and records the sizes of its chunks.
    private final class Reader: Sendable {
        let latch = Latch()
        private let sizes = Mutex<[Int]>([])

        var largest: Int { sizes.withLock { $0.max() ?? 0 } }
        var total: Int { sizes.withLock { $0.reduce(0, +) } }

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

    @Test func `an upload is buffered up to the buffer size plus one read`() async throws {
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
        // It fits into the socket buffers of the system.
        await client.send(half)
        reader.latch.open()
        await client.send(half)
        #expect(try await client.answer().status == 204)
        #expect(reader.total == 2 * half.count)
        // libmicrohttpd never reads more at once than its connection memory.
        #expect(reader.largest <= (16 << 10) + (64 << 10))
        await server.stop()
    }

    /// A server that streams all bodies, except those sent to `/other`.
    private func serve(
        _ configure: (inout ServerConfiguration) -> Void, responder: @escaping Responder
    ) throws -> Server {
        var configuration = ServerConfiguration(port: 0)
        configuration.isStreamingTarget = { $0 != "/other" }
        configuration.streamingThreshold = 0
        configure(&configuration)
        return try Server(configuration, responder: responder)
    }

    private static let put = "PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n"

    @Test func `after an early response the client has little time to send the rest`() async throws
    {
        let server = try serve {
            $0.uploadDrainDeadline = .milliseconds(100)
        } responder: { _ in
            Response(status: 401)
        }
        let client = try RawClient(port: server.port)
        await client.send(Self.put)
        // Ends only when the server disconnects.
        while await client.send("a") { await Task.yield() }
        await server.stop()
    }

    @Test func `a client that sends the rest after an early response receives that response`()
        async throws
    {
        // Long enough for a busy machine to send the rest.
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

    @Test func `a body slower than the minimum rate is cut off`() async throws {
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
        #expect(reader.total < 1_000_000)
        await server.stop()
    }

    @Test(arguments: [put, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"])
    func `requests to streaming targets leave connections free for others`(request: String)
        async throws
    {
        let latch = Latch()
        let server = try serve {
            $0.connectionLimit = 8
        } responder: {
            if $0.target != "/other" { await latch.wait() }
            return Response(status: 204)
        }
        let streaming = try (0..<6).map { _ in try RawClient(port: server.port) }
        for client in streaming { await client.send(request) }
        #expect(await eventually { latch.waiting == 6 })
        let more = try RawClient(port: server.port)
        await more.send(request)
        let rejected = try await more.answer()
        #expect(rejected.status == 503)
        #expect(rejected["Retry-After"] != nil)
        let other = try RawClient(port: server.port)
        await other.send("GET /other HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try await other.answer().status == 204)
        // Their connections become free.
        for client in streaming { client.leave() }
        latch.open()
        let isFree = try await eventually {
            let client = try RawClient(port: server.port)
            await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            return (try? await client.answer().status) == 204
        }
        #expect(isFree)
        await server.stop()
    }

    @Test func `the client's deadline is paused while its body is not read`() async throws {
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
        // Another connection, opened later, reaches its deadline first.
        let other = try RawClient(port: server.port)
        await other.send("PUT / HTTP/1.1\r\n")
        #expect(await other.all() == "")
        await client.send("cd")
        reader.latch.open()
        #expect(try await client.answer().status == 204)
        await server.stop()
    }
}
