import HTTPServer
import Support
import Synchronization
import Testing
import Web

/// Who has to go when more come than a server takes, and who has not.
@Suite(.timeLimit(.minutes(10))) struct ManyConnectionsTests {
    private static let get = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"

    /// Far more than a small server takes at once.
    private func crowd(_ server: Server) throws -> [RawClient] {
        try (0..<20).map { _ in try RawClient(port: server.port) }
    }

    private func serve(
        freshness: Duration = .zero, _ responder: @escaping Responder,
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) throws -> Server {
        var configuration = ServerConfiguration(port: 0)
        configuration.connectionLimit = 8
        configuration.evictionGracePeriod = freshness
        configuration.log = log
        return try Server(configuration, responder: responder)
    }

    /// A server that says how many bytes it was sent.
    private func counting(freshness: Duration = .zero) throws -> Server {
        try serve(freshness: freshness) { request in
            let text = "\(request.body.count)"
            return Response(status: 200, body: .bytes(Array(text.utf8)))
        }
    }

    @Test(arguments: ["", "G", "GET / HTTP/1.1\r\nHost: x\r\n"])
    func `those who do not ask keep nobody out`(part: String) async throws {
        let server = try counting()
        let silent = try crowd(server)
        for client in silent { await client.send(part) }
        let client = try RawClient(port: server.port)
        await client.send(Self.get)
        #expect(try await client.answer().status == 200)
        withExtendedLifetime(silent) {}
        await server.stop()
    }

    /// The server's threads choose who has to go at the same time, and must
    /// not choose the same: places would be lost until none is left.
    @Test func `a crowd that keeps coming leaves the reserve free`() async throws {
        var configuration = ServerConfiguration(port: 0)
        configuration.connectionLimit = 64
        configuration.evictionGracePeriod = .zero
        // Silent for as long as 400 others take, on a machine that is busy.
        configuration.idleTimeout = 600
        let server = try Server(configuration) { _ in Response(status: 204) }
        // Not so many that a machine runs out of files or threads for them.
        let silent = try (0..<400).map { _ in try RawClient(port: server.port) }
        let client = try RawClient(port: server.port)
        await client.send(Self.get)
        // All who came before have been let in by now.
        #expect(try await client.answer().status == 204)
        var stayed = 0
        for client in silent where await client.send(Self.get) {
            if (try? await client.answer().status) == 204 { stayed += 1 }
        }
        // An eighth is kept for those who come; half of that is asked for.
        #expect(stayed > 0 && stayed < 60)
        await server.stop()
    }

    @Test func `whoever just came has a moment to ask`() async throws {
        let server = try counting(freshness: .seconds(3_600))
        let fresh = try (0..<8).map { _ in try RawClient(port: server.port) }
        for client in fresh { await client.send("GET / HTTP/1.1\r\n") }
        for client in fresh {
            await client.send("Host: x\r\n\r\n")
            #expect(try await client.answer().text == "0")
        }
        await server.stop()
    }

    @Test func `after that moment they go for who was not let in`() async throws {
        var configuration = ServerConfiguration(port: 0)
        configuration.connectionLimit = 8
        configuration.evictionGracePeriod = .milliseconds(200)
        // The time is looked at more often than the shortest of these.
        configuration.heartbeatInterval = .milliseconds(200)
        let server = try Server(configuration) { _ in Response(status: 204) }
        let silent = try crowd(server)
        for client in silent { await client.send("GET / HTTP/1.1\r\n") }
        let client = try RawClient(port: server.port)
        await client.send(Self.get)
        #expect(try await client.answer().status == 204)
        withExtendedLifetime(silent) {}
        await server.stop()
    }

    @Test func `half a further request keeps nobody out`() async throws {
        let server = try counting()
        var halves: [RawClient] = []
        for _ in 0..<8 {
            let client = try RawClient(port: server.port)
            await client.send(Self.get)
            #expect(try await client.answer().text == "0")
            await client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhal")
            halves.append(client)
        }
        for _ in 0..<3 {
            let client = try RawClient(port: server.port)
            await client.send(Self.get)
            #expect(try await client.answer().text == "0")
        }
        withExtendedLifetime(halves) {}
        await server.stop()
    }

    @Test func `whoever was silent longest goes, not whoever just came`() async throws {
        let server = try counting()
        let kept = try (0..<7).map { _ in try RawClient(port: server.port) }
        for client in kept {
            await client.send(Self.get)
            #expect(try await client.answer().text == "0")
        }
        let come = try (0..<3).map { _ in try RawClient(port: server.port) }
        for client in come { await client.send("GET / HTTP/1.1\r\n") }
        for client in come {
            await client.send("Host: x\r\n\r\n")
            #expect(try await client.answer().text == "0")
        }
        withExtendedLifetime(kept) {}
        await server.stop()
    }

    @Test func `nobody with an answer under way has to go`() async throws {
        let latch = Latch()
        let server = try serve { _ in
            await latch.wait()
            return Response(status: 204)
        }
        let client = try RawClient(port: server.port)
        await client.send(Self.get)
        #expect(await eventually { latch.waiting == 1 })
        let silent = try crowd(server)
        // The first of them is sent away, so a crowd it was.
        #expect(await silent[0].all() == "")
        latch.open()
        #expect(try await client.answer().status == 204)
        withExtendedLifetime(silent) {}
        await server.stop()
    }

    @Test func `nobody has to go in the middle of a further request`() async throws {
        let server = try counting()
        let client = try RawClient(port: server.port)
        await client.send(Self.get)
        #expect(try await client.answer().text == "0")
        await client.send(
            """
            POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\
            Expect: 100-continue\r\n\r\n
            """)
        // It has the headers and waits for the body.
        #expect(await client.text(until: "100 Continue\r\n\r\n") != nil)
        let silent = try crowd(server)
        #expect(await silent[0].all() == "")
        await client.send("body")
        #expect(try await client.answer().text == "4")
        withExtendedLifetime(silent) {}
        await server.stop()
    }

    @Test func `nobody who reads a stream has to go`() async throws {
        let (stream, maker) = AsyncStream.makeStream(of: [UInt8].self)
        let server = try serve { _ in Response(status: 200, body: .stream(stream)) }
        let client = try RawClient(port: server.port)
        await client.send(Self.get)
        maker.yield(Array("before".utf8))
        #expect(await client.text(until: "before") != nil)
        let silent = try crowd(server)
        #expect(await silent[0].all() == "")
        maker.yield(Array("after".utf8))
        #expect(await client.text(until: "after") != nil)
        maker.finish()
        withExtendedLifetime(silent) {}
        await server.stop()
    }

    @Test func `whoever goes leaves no line in the log`() async throws {
        let lines = Mutex<[String]>([])
        let server = try serve { _ in
            Response(status: 204)
        } log: { line in
            lines.withLock { $0.append(line) }
        }
        let slow = try crowd(server)
        for client in slow { await client.send("GET / HTTP/1.1\r\n") }
        #expect(await slow[0].all() == "")
        for client in slow { client.leave() }
        // The beginning of a TLS handshake.
        let lost = try RawClient(port: server.port)
        await lost.send("\u{16}\u{03}\u{01}\u{02}\0\u{01}\n\n")
        _ = await lost.all()
        await server.stop()
        #expect(lines.withLock { $0 } == [])
    }
}
