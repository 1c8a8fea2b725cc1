@testable import HTTPServer
import Support
import Testing
import Web

/// Stopping a server, with and without pending requests.
@Suite(.timeLimit(.minutes(10))) struct StoppingTests {
    private static let get = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"

    @Test func `a pending request still gets its response`() async throws {
        let started = Counter()
        let (gate, opener) = AsyncStream<Void>.makeStream()
        let server = try Server(ServerConfiguration(port: 0)) { request in
            guard request.target == "/" else { return Response(status: 404) }
            started.add()
            for await _ in gate { break }
            return Response(status: 200, body: .bytes([0x61]))
        }
        let client = try RawClient(port: server.port)
        await client.send(Self.get)
        await started.reached(1)
        let stopping = Task { await server.stop(grace: .seconds(60)) }
        #expect(await RawClient.isRejected(by: server.port))
        opener.yield()
        let response = try await client.answer()
        #expect(response.text == "a")
        #expect(response["Connection"] == "close")
        await stopping.value
    }

    @Test func `a request that outlasts the grace period gets 503`() async throws {
        let started = Counter()
        let canceled = Counter()
        let server = try Server(ServerConfiguration(port: 0)) { _ in
            started.add()
            let (never, continuation) = AsyncStream<Void>.makeStream()
            for await _ in never {}
            continuation.finish()
            canceled.add()
            return Response(status: 200)
        }
        let clients = try (0..<50).map { _ in try RawClient(port: server.port) }
        for client in clients { await client.send(Self.get) }
        await started.reached(50)
        await server.stop(grace: .milliseconds(20))
        await canceled.reached(50)
        for client in clients {
            let response = try await client.answer()
            #expect(response.status == 503)
            #expect(response["Connection"] == "close")
            #expect(response.text.contains("Foyer is stopping"))
        }
    }

    @Test func `open streams are terminated properly`() async throws {
        let ended = Counter()
        let server = try Server(ServerConfiguration(port: 0)) { _ in
            let stream = AsyncStream<[UInt8]> { continuation in
                continuation.yield(Array("hello".utf8))
                continuation.onTermination = { _ in ended.add() }
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

    @Test func `a stream that is not read does not delay stopping indefinitely`() async throws {
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

    @Test func `an incomplete request does not delay stopping`() async throws {
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

    @Test func `stopping twice is harmless`() async throws {
        let server = try Server(ServerConfiguration(port: 0)) { _ in Response(status: 200) }
        async let first: Void = server.stop()
        async let second: Void = server.stop()
        _ = await (first, second)
        await server.stop()
    }

    @Test func `the port is free after stopping`() async throws {
        let first = try Server(ServerConfiguration(port: 0)) { _ in Response(status: 200) }
        let client = try RawClient(port: first.port)
        await client.send(Self.get)
        _ = try await client.answer()
        await first.stop()
        let second = try Server(ServerConfiguration(port: first.port)) { _ in Response(status: 201)
        }
        let next = try RawClient(port: second.port)
        await next.send(Self.get)
        #expect(try await next.answer().status == 201)
        await second.stop()
    }

    @Test func `a port in use is reported by its number`() async throws {
        let first = try Server(ServerConfiguration(port: 0)) { _ in Response(status: 200) }
        #expect(
            throws: ServerError(
                kind: .portInUse, detail: "port \(first.port) is in use by another program")
        ) { try Server(ServerConfiguration(port: first.port)) { _ in Response(status: 200) } }
        await first.stop()
    }

    @Test func `an invalid address is rejected`() throws {
        var configuration = ServerConfiguration(port: 0)
        configuration.address = "localhost.example"
        let error = #expect(throws: ServerError.self) {
            try Server(configuration) { _ in Response(status: 200) }
        }
        #expect(error?.kind == .addressUnavailable)
    }

    @Test func `a deallocated server stops by itself`() async throws {
        let port: UInt16
        do {
            let server = try Server(ServerConfiguration(port: 0)) { _ in Response(status: 200) }
            port = server.port
        }
        await waitUntilRefused(port)
    }

    /// Returns when the port accepts no more connections.
    private func waitUntilRefused(_ port: UInt16) async {
        #expect(await eventually { (try? RawClient(port: port)) == nil })
    }
}
