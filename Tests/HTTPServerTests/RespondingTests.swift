import HTTPServer
import Support
import Testing
import Web

/// Requests as a responder receives them, and its responses as a client receives them.
@Suite(.timeLimit(.minutes(10))) struct RespondingTests {
    /// A server that responds with the method, target and body of the request.
    private func echo() throws -> Server {
        try Server(ServerConfiguration(port: 0)) { request in
            Response(
                status: 200, headers: ["X-Method": request.method.rawValue],
                body: .bytes(Array("\(request.target)|".utf8) + request.body))
        }
    }

    @Test func `a request gets the response of its responder`() async throws {
        let server = try echo()
        let client = try RawClient(port: server.port)
        await client.send("GET /here HTTP/1.1\r\nHost: x\r\n\r\n")
        let response = try await client.answer()
        #expect(response.status == 200)
        #expect(response["X-Method"] == "GET")
        #expect(response.text == "/here|")
        await server.stop()
    }

    @Test func `one connection serves several requests`() async throws {
        let server = try echo()
        let client = try RawClient(port: server.port)
        for number in 0..<3 {
            await client.send(
                "POST /\(number) HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nab")
            #expect(try await client.answer().text == "/\(number)|ab")
        }
        await server.stop()
    }

    @Test func `pipelined requests get their responses in order`() async throws {
        let server = try echo()
        let client = try RawClient(port: server.port)
        await client.send((0..<20).map { "GET /\($0) HTTP/1.1\r\nHost: x\r\n\r\n" }.joined())
        for number in 0..<20 { #expect(try await client.answer().text == "/\(number)|") }
        await server.stop()
    }

    @Test(arguments: [
        "/%61b", "//a", "/a/../b", "/a?b=c%20d&e", "/a?b?c", "/%00", "/+", "http://other/a", "*",
    ]) func `the target arrives as sent`(target: String) async throws {
        let server = try echo()
        let client = try RawClient(port: server.port)
        await client.send("GET \(target) HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try await client.answer().text == "\(target)|")
        await server.stop()
    }

    @Test func `an unknown method reaches the responder`() async throws {
        let server = try echo()
        let client = try RawClient(port: server.port)
        await client.send("BREW /tea HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try await client.answer()["X-Method"] == "BREW")
        await server.stop()
    }

    @Test func `HEAD gets the headers of GET and no body`() async throws {
        let server = try echo()
        let client = try RawClient(port: server.port)
        await client.send(
            "HEAD /a HTTP/1.1\r\nHost: x\r\n\r\nGET /b HTTP/1.1\r\nHost: x\r\n\r\n")
        let head = try await client.answer(toHead: true)
        #expect(head["Content-Length"] == "3")
        #expect(try await client.answer().text == "/b|")
        await server.stop()
    }

    @Test func `a chunked body arrives complete`() async throws {
        let server = try echo()
        let client = try RawClient(port: server.port)
        await client.send(
            "POST /c HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
        #expect(try await client.answer().text == "/c|abcde")
        await server.stop()
    }

    @Test func `repeated headers and the peer address reach the responder`() async throws {
        let server = try Server(ServerConfiguration(port: 0)) { request in
            let values = request.headers.all("X-Two").joined(separator: "+")
            let text = "\(values) \(request.peer)"
            return Response(status: 200, body: .bytes(Array(text.utf8)))
        }
        let client = try RawClient(port: server.port)
        await client.send("GET / HTTP/1.1\r\nHost: x\r\nX-Two: a\r\nx-two: b\r\n\r\n")
        #expect(try await client.answer().text == "a+b 127.0.0.1")
        await server.stop()
    }

    @Test func `a response header cannot inject another header`() async throws {
        let server = try Server(ServerConfiguration(port: 0)) { _ in
            var headers = Headers()
            headers.add("X-Good", "yes")
            headers.add("X-Break", "a\r\nX-Evil: 1")
            headers.add("X-Bare", "a\nX-Evil: 1")
            headers.add("X-Zero", "a\0b")
            headers.add("X-Name: 1\r\nX-Evil", "1")
            headers.add("", "nameless")
            headers.add("Content-Length", "999")
            headers.add("Transfer-Encoding", "chunked")
            return Response(status: 200, headers: headers, body: .bytes([0x61]))
        }
        let client = try RawClient(port: server.port)
        await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        let response = try await client.answer()
        #expect(response["X-Good"] == "yes")
        #expect(response.text == "a")
        #expect(
            Set(response.fields.map { $0[0] }).subtracting(["Connection"]) == [
                "X-Good", "Content-Length", "Date",
            ])
        await server.stop()
    }

    @Test(arguments: [
        (600, true, 600), (999, true, 999), (101, true, 502),
        (0, true, 502), (1_000, true, 502), (600, false, 500),
        (101, false, 500),
    ])
    func `only a proxied response may have a nonstandard status`(
        status: Int, isProxied: Bool, expected: Int
    ) async throws {
        let server = try Server(ServerConfiguration(port: 0)) { _ in
            var response = Response(status: status)
            response.isProxied = isProxied
            return response
        }
        let client = try RawClient(port: server.port)
        await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try await client.answer().status == expected)
        await server.stop()
    }

    @Test(arguments: [
        (1, true, 200), (11, true, 200), (40, true, 502), (40, false, 500), (400, true, 502),
    ]) func `response headers that are too large become an error response`(
        kilobytes: Int, isProxied: Bool, status: Int
    ) async throws {
        let long = String(repeating: "v", count: 1_000)
        let server = try Server(ServerConfiguration(port: 0)) { _ in
            var response = Response(status: 200, body: .bytes([0x61]))
            response.isProxied = isProxied
            for number in 0..<kilobytes { response.headers.add("X-\(number)", long) }
            return response
        }
        // Together with the largest request that is allowed.
        let fields = (0..<9).map { "Y-\($0): \(long)\r\n" }.joined()
        let client = try RawClient(port: server.port)
        await client.send("GET / HTTP/1.1\r\nHost: x\r\n\(fields)\r\n")
        #expect(try await client.answer().status == status)
        await server.stop()
    }

    @Test func `a dropped response closes the connection without a byte`() async throws {
        let server = try Server(ServerConfiguration(port: 0)) { _ in
            await Task.yield()
            var response = Response(status: 502, body: .bytes([0x61]))
            response.isDropped = true
            return response
        }
        let client = try RawClient(port: server.port)
        await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        await #expect(throws: RawClient.Failure.closed) { try await client.answer() }
        await server.stop()
    }

    @Test func `a large response arrives complete`() async throws {
        let large = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0) }
        let server = try Server(ServerConfiguration(port: 0)) { _ in
            Response(status: 200, body: .bytes(large))
        }
        let client = try RawClient(port: server.port)
        await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try await client.answer().body == large)
        await server.stop()
    }

    @Test func `two hundred requests wait concurrently`() async throws {
        let (gate, opener) = AsyncStream<Void>.makeStream()
        let waiting = Counter()
        let gateOpen = Task { for await _ in gate { return } }
        let server = try Server(ServerConfiguration(port: 0)) { _ in
            waiting.add()
            await gateOpen.value
            return Response(status: 204)
        }
        let clients = try (0..<200).map { _ in try RawClient(port: server.port) }
        for client in clients { await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n") }
        await waiting.reached(200)
        opener.yield()
        for client in clients { #expect(try await client.answer().status == 204) }
        await server.stop()
    }
}
