import HTTPServer
import Support
import Synchronization
import Testing
import Web

/// Which connections are evicted when more clients connect than the server accepts.
@Suite(.timeLimit(.minutes(10))) struct ManyConnectionsTests {
    private static let get = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"

    /// Far more clients than the connection limit of `serve`.
    private func connectMany(to server: Server) throws -> [RawClient] {
        try (0..<20).map { _ in try RawClient(port: server.port) }
    }

    private func serve(
        gracePeriod: Duration = .zero, _ responder: @escaping Responder,
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) throws -> Server {
        var configuration = ServerConfiguration(port: 0)
        configuration.connectionLimit = 8
        configuration.evictionGracePeriod = gracePeriod
        configuration.log = log
        return try Server(configuration, responder: responder)
    }

    /// A server that responds with the size of the request body.
    private func serveBodySize(gracePeriod: Duration = .zero) throws -> Server {
        try serve(gracePeriod: gracePeriod) { request in
            let text = "\(request.body.count)"
            return Response(status: 200, body: .bytes(Array(text.utf8)))
        }
    }

    @Test(arguments: ["", "G", "GET / HTTP/1.1\r\nHost: x\r\n"])
    func `connections without a complete request do not block others`(part: String) async throws {
        let server = try serveBodySize()
        let silent = try connectMany(to: server)
        for client in silent { await client.send(part) }
        let client = try RawClient(port: server.port)
        await client.send(Self.get)
        #expect(try await client.answer().status == 200)
        withExtendedLifetime(silent) {}
        await server.stop()
    }

    /// The server's threads choose connections to evict at the same time, and must not choose the
    /// same one: each time a slot would be lost, until none is left.
    @Test func `many silent connections leave the reserved slots free`() async throws {
        var configuration = ServerConfiguration(port: 0)
        configuration.connectionLimit = 64
        configuration.evictionGracePeriod = .zero
        // Longer than 400 connections take on a busy machine.
        configuration.idleTimeout = 600
        let server = try Server(configuration) { _ in Response(status: 204) }
        // Few enough not to exhaust the file descriptors or threads of a machine.
        let silent = try (0..<400).map { _ in try RawClient(port: server.port) }
        let client = try RawClient(port: server.port)
        await client.send(Self.get)
        // All earlier connections have been accepted by now.
        #expect(try await client.answer().status == 204)
        var openCount = 0
        for client in silent where await client.send(Self.get) {
            if (try? await client.answer().status) == 204 { openCount += 1 }
        }
        // An eighth is reserved for new connections; half of that is required here.
        #expect(openCount > 0 && openCount < 60)
        await server.stop()
    }

    @Test func `a new connection has a grace period to send its request`() async throws {
        let server = try serveBodySize(gracePeriod: .seconds(3_600))
        let newClients = try (0..<8).map { _ in try RawClient(port: server.port) }
        for client in newClients { await client.send("GET / HTTP/1.1\r\n") }
        for client in newClients {
            await client.send("Host: x\r\n\r\n")
            #expect(try await client.answer().text == "0")
        }
        await server.stop()
    }

    @Test func `after the grace period silent connections are evicted for waiting clients`()
        async throws
    {
        var configuration = ServerConfiguration(port: 0)
        configuration.connectionLimit = 8
        configuration.evictionGracePeriod = .milliseconds(200)
        // Deadlines are checked more often than the shortest of these durations.
        configuration.heartbeatInterval = .milliseconds(200)
        let server = try Server(configuration) { _ in Response(status: 204) }
        let silent = try connectMany(to: server)
        for client in silent { await client.send("GET / HTTP/1.1\r\n") }
        let client = try RawClient(port: server.port)
        await client.send(Self.get)
        #expect(try await client.answer().status == 204)
        withExtendedLifetime(silent) {}
        await server.stop()
    }

    @Test func `an incomplete second request does not block others`() async throws {
        let server = try serveBodySize()
        var clients: [RawClient] = []
        for _ in 0..<8 {
            let client = try RawClient(port: server.port)
            await client.send(Self.get)
            #expect(try await client.answer().text == "0")
            await client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhal")
            clients.append(client)
        }
        for _ in 0..<3 {
            let client = try RawClient(port: server.port)
            await client.send(Self.get)
            #expect(try await client.answer().text == "0")
        }
        withExtendedLifetime(clients) {}
        await server.stop()
    }

    @Test func `the connection that has been idle longest is evicted, not a new one`() async throws
    {
        let server = try serveBodySize()
        let idle = try (0..<7).map { _ in try RawClient(port: server.port) }
        for client in idle {
            await client.send(Self.get)
            #expect(try await client.answer().text == "0")
        }
        let newClients = try (0..<3).map { _ in try RawClient(port: server.port) }
        for client in newClients { await client.send("GET / HTTP/1.1\r\n") }
        for client in newClients {
            await client.send("Host: x\r\n\r\n")
            #expect(try await client.answer().text == "0")
        }
        withExtendedLifetime(idle) {}
        await server.stop()
    }

    @Test func `a connection with a pending response is not evicted`() async throws {
        let latch = Latch()
        let server = try serve { _ in
            await latch.wait()
            return Response(status: 204)
        }
        let client = try RawClient(port: server.port)
        await client.send(Self.get)
        #expect(await eventually { latch.waiting == 1 })
        let silent = try connectMany(to: server)
        // The first of them is evicted, so there were too many.
        #expect(await silent[0].all() == "")
        latch.open()
        #expect(try await client.answer().status == 204)
        withExtendedLifetime(silent) {}
        await server.stop()
    }

    @Test func `a connection in the middle of a second request is evicted last`() async throws {
        let server = try serveBodySize()
        let client = try RawClient(port: server.port)
        await client.send(Self.get)
        #expect(try await client.answer().text == "0")
        await client.send(
            """
            POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\
            Expect: 100-continue\r\n\r\n
            """)
        // The server has the headers and waits for the body.
        #expect(await client.text(until: "100 Continue\r\n\r\n") != nil)
        let silent = try connectMany(to: server)
        #expect(await silent[0].all() == "")
        await client.send("body")
        #expect(try await client.answer().text == "4")
        withExtendedLifetime(silent) {}
        await server.stop()
    }

    @Test func `a connection that reads a stream is not evicted`() async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        let server = try serve { _ in Response(status: 200, body: .stream(stream)) }
        let client = try RawClient(port: server.port)
        await client.send(Self.get)
        continuation.yield(Array("before".utf8))
        #expect(await client.text(until: "before") != nil)
        let silent = try connectMany(to: server)
        #expect(await silent[0].all() == "")
        continuation.yield(Array("after".utf8))
        #expect(await client.text(until: "after") != nil)
        continuation.finish()
        withExtendedLifetime(silent) {}
        await server.stop()
    }

    @Test func `an evicted connection leaves no line in the log`() async throws {
        let lines = Mutex<[String]>([])
        let server = try serve { _ in
            Response(status: 204)
        } log: { line in
            lines.withLock { $0.append(line) }
        }
        let evicted = try connectMany(to: server)
        for client in evicted { await client.send("GET / HTTP/1.1\r\n") }
        #expect(await evicted[0].all() == "")
        for client in evicted { client.leave() }
        // The beginning of a TLS handshake.
        let tlsClient = try RawClient(port: server.port)
        await tlsClient.send("\u{16}\u{03}\u{01}\u{02}\0\u{01}\n\n")
        _ = await tlsClient.all()
        await server.stop()
        #expect(lines.withLock { $0 } == [])
    }
}
