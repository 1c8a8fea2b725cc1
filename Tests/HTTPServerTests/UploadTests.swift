import HTTPServer
import Support
import Synchronization
import Testing
import Web

/// A body that is handed over as it comes.
@Suite struct UploadTests {
    /// What one reader of a body was given.
    private final class Reader: Sendable {
        let latch = Latch()
        private let sizes = Mutex<[Int]>([])

        var most: Int { sizes.withLock { $0.max() ?? 0 } }
        var all: Int { sizes.withLock { $0.reduce(0, +) } }

        func read(_ upload: Inflow) async -> Bool {
            await latch.wait()
            while true {
                switch await upload.next() {
                case .bytes(let bytes):
                    sizes.withLock { $0.append(bytes.count) }
                case .end: return true
                case .broken: return false
                }
            }
        }
    }

    @Test func `no more of it is held than the bound and one piece`()
        async throws
    {
        let reader = Reader()
        var configuration = ServerConfiguration(port: 0)
        configuration.streams = { _ in true }
        configuration.wholeBody = 0
        configuration.streamBuffer = 16 << 10
        let server = try Server(configuration) { request in
            guard let upload = request.upload else {
                return Response(status: 400)
            }
            return Response(status: await reader.read(upload) ? 204 : 500)
        }
        let client = try RawClient(port: server.port)
        let half = [UInt8](repeating: 0x61, count: 128 << 10)
        await client.send(
            "PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: \(2 * half.count)"
                + "\r\n\r\n")
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

    @Test func `while nobody reads it the client's time stands still`()
        async throws
    {
        let reader = Reader()
        var configuration = ServerConfiguration(port: 0)
        configuration.streams = { _ in true }
        configuration.wholeBody = 0
        configuration.streamBuffer = 1
        configuration.requestDeadline = .milliseconds(500)
        let server = try Server(configuration) { request in
            guard let upload = request.upload else {
                return Response(status: 400)
            }
            return Response(status: await reader.read(upload) ? 204 : 500)
        }
        let client = try RawClient(port: server.port)
        await client.send(
            "PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nab")
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
