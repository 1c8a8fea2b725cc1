import HTTPServer
import Support
import Synchronization
import Testing
import Web

/// Clients that disconnect before they receive their response.
@Suite(.timeLimit(.minutes(10))) struct ClientDisconnectTests {
    @Test func `a started request is completed even if its client disconnects`() async throws {
        let (gate, opener) = AsyncStream<Void>.makeStream()
        let started = Counter()
        let finished = Counter()
        let server = try Server(ServerConfiguration(port: 0)) { request in
            guard request.target == "/slow" else { return Response(status: 204) }
            started.add()
            for await _ in gate { break }
            finished.add()
            return Response(status: Task.isCancelled ? 500 : 200)
        }
        let client = try RawClient(port: server.port)
        await client.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
        await started.reached(1)
        client.leave()
        let other = try RawClient(port: server.port)
        await other.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try await other.answer().status == 204)
        opener.yield()
        await finished.reached(1)
        await server.stop()
    }

    @Test(arguments: [
        "GET / HTT", "GET / HTTP/1.1\r\nHost: x\r\nA: b",
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc",
        "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\na",
    ]) func `an incomplete request of a disconnected client never reaches the responder`(
        _ partialRequest: String
    ) async throws {
        let calls = Counter()
        let server = try Server(ServerConfiguration(port: 0)) { _ in
            calls.add()
            return Response(status: 204)
        }
        for _ in 0..<20 {
            let client = try RawClient(port: server.port)
            await client.send(partialRequest)
            client.leave()
        }
        let other = try RawClient(port: server.port)
        await other.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try await other.answer().status == 204)
        #expect(calls.count == 1)
        await server.stop()
    }

    @Test func `responses arrive in order, whether or not their responders suspend`() async throws {
        let server = try Server(ServerConfiguration(port: 0)) { request in
            if request.target.hasSuffix("0") { await Task.yield() }
            return Response(status: 200, body: .bytes(Array(request.target.utf8)))
        }
        let client = try RawClient(port: server.port)
        await client.send((0..<200).map { "GET /\($0) HTTP/1.1\r\nHost: x\r\n\r\n" }.joined())
        for number in 0..<200 { #expect(try await client.answer().text == "/\(number)") }
        await server.stop()
    }

    @Test func `stopping under load closes every connection`() async throws {
        for round in 0..<10 {
            let calls = Counter()
            let server = try Server(ServerConfiguration(port: 0)) { request in
                calls.add()
                if request.target == "/1" { await Task.yield() }
                return Response(status: 204)
            }
            let port = server.port
            await withTaskGroup { group in
                for number in 0..<8 {
                    group.addTask {
                        guard let client = try? RawClient(port: port) else { return }
                        let request = "GET /\(number % 2) HTTP/1.1\r\nHost: x\r\n\r\n"
                        while await client.send(request), let response = try? await client.answer(),
                            response.status == 204
                        {}
                    }
                }
                await calls.reached(20 * (round + 1))
                await server.stop(grace: round % 2 == 0 ? .zero : .seconds(1))
                await group.waitForAll()
            }
        }
    }
}
