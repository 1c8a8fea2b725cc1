import HTTPServer
import Support
import Testing
import Web

/// How a server ends, whatever is under way.
@Suite(.timeLimit(.minutes(10))) struct StoppingTests {
    private static let get = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"

    @Test func `what is under way is answered`() async throws {
        let working = Counter()
        let (gate, opener) = AsyncStream<Void>.makeStream()
        let server = try Server(ServerConfiguration(port: 0)) { request in
            guard request.target == "/" else { return Response(status: 404) }
            working.add()
            for await _ in gate { break }
            return Response(status: 200, body: .bytes([0x61]))
        }
        let client = try RawClient(port: server.port)
        await client.send(Self.get)
        await working.reached(1)
        let stopping = Task { await server.stop(grace: .seconds(60)) }
        #expect(await RawClient.turnedAway(by: server.port))
        opener.yield()
        let answer = try await client.answer()
        #expect(answer.text == "a")
        #expect(answer["Connection"] == "close")
        await stopping.value
    }

    @Test func `what takes too long is told so`() async throws {
        let working = Counter()
        let cancelled = Counter()
        let server = try Server(ServerConfiguration(port: 0)) { _ in
            working.add()
            let (never, maker) = AsyncStream<Void>.makeStream()
            for await _ in never {}
            maker.finish()
            cancelled.add()
            return Response(status: 200)
        }
        let clients = try (0..<50).map { _ in try RawClient(port: server.port) }
        for client in clients { await client.send(Self.get) }
        await working.reached(50)
        await server.stop(grace: .milliseconds(20))
        await cancelled.reached(50)
        for client in clients {
            let answer = try await client.answer()
            #expect(answer.status == 503)
            #expect(answer["Connection"] == "close")
            #expect(answer.text.contains("Foyer is stopping"))
        }
    }

    @Test func `open streams are ended properly`() async throws {
        let ended = Counter()
        let server = try Server(ServerConfiguration(port: 0)) { _ in
            let stream = AsyncStream<[UInt8]> { maker in
                maker.yield(Array("hello".utf8))
                maker.onTermination = { _ in ended.add() }
            }
            return Response(status: 200, body: .stream(stream))
        }
        let clients = try (0..<20).map { _ in try RawClient(port: server.port) }
        for client in clients {
            await client.send(Self.get)
            #expect(await client.text(until: "hello\r\n") != nil)
        }
        await server.stop()
        await ended.reached(20)
        for client in clients { #expect(await client.all() == "0\r\n\r\n") }
    }

    @Test func `a stream nobody reads does not hold it up for ever`() async throws {
        let ended = Counter()
        let server = try Server(ServerConfiguration(port: 0)) { _ in
            Response(
                status: 200,
                body: .stream(
                    AsyncStream(
                        unfolding: { [UInt8](repeating: 0, count: 65536) },
                        onCancel: { ended.add() })))
        }
        let client = try RawClient(port: server.port, window: 4096)
        await client.send(Self.get)
        #expect(await client.text(until: "\r\n\r\n") != nil)
        await server.stop(grace: .milliseconds(50))
        await ended.reached(1)
    }

    @Test func `half a request does not hold it up`() async throws {
        let server = try Server(ServerConfiguration(port: 0)) { _ in Response(status: 200) }
        let client = try RawClient(port: server.port)
        await client.send(Self.get)
        #expect(try await client.answer().status == 200)
        await client.send("POST / HTTP/1.1\r\nHost: x\r\n")
        await server.stop(grace: .seconds(60))
        #expect(await client.all() == "")
    }

    @Test func `a server stops while clients connect`() async throws {
        for _ in 0..<300 {
            let server = try Server(ServerConfiguration(port: 0)) { _ in Response(status: 200) }
            let port = server.port
            let connecting = (0..<4).map { _ in
                Task.detached {
                    while let client = try? RawClient(port: port) {
                        await client.send(Self.get)
                        _ = try? await client.answer()
                    }
                }
            }
            let client = try RawClient(port: port)
            await client.send(Self.get)
            #expect(try await client.answer().status == 200)
            await server.stop()
            for task in connecting { await task.value }
        }
    }

    @Test func `stopping twice is stopping`() async throws {
        let server = try Server(ServerConfiguration(port: 0)) { _ in Response(status: 200) }
        async let one: Void = server.stop()
        async let other: Void = server.stop()
        _ = await (one, other)
        await server.stop()
    }

    @Test func `the port is free again`() async throws {
        let first = try Server(ServerConfiguration(port: 0)) { _ in Response(status: 200) }
        let client = try RawClient(port: first.port)
        await client.send(Self.get)
        _ = try await client.answer()
        await first.stop()
        let second = try Server(ServerConfiguration(port: first.port)) { _ in Response(status: 201)
        }
        let again = try RawClient(port: second.port)
        await again.send(Self.get)
        #expect(try await again.answer().status == 201)
        await second.stop()
    }

    @Test func `a taken port is named`() async throws {
        let first = try Server(ServerConfiguration(port: 0)) { _ in Response(status: 200) }
        #expect(
            throws: ServerError(
                kind: .portTaken, detail: "port \(first.port) is taken by another program")
        ) { try Server(ServerConfiguration(port: first.port)) { _ in Response(status: 200) } }
        await first.stop()
    }

    @Test func `an address that is none is refused`() throws {
        var configuration = ServerConfiguration(port: 0)
        configuration.address = "localhost.example"
        let error = #expect(throws: ServerError.self) {
            try Server(configuration) { _ in Response(status: 200) }
        }
        #expect(error?.kind == .addressRefused)
    }

    @Test func `a server let go stops by itself`() async throws {
        let port: UInt16
        do {
            let server = try Server(ServerConfiguration(port: 0)) { _ in Response(status: 200) }
            port = server.port
        }
        await refused(port)
    }

    /// Returns when the port takes no connection any more.
    private func refused(_ port: UInt16) async {
        #expect(await eventually { (try? RawClient(port: port)) == nil })
    }
}
