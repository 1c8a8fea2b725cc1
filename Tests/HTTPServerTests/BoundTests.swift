import HTTPServer
import Support
import Testing
import Web

/// Limits of a request, and the response to a request that exceeds them.
@Suite(.timeLimit(.minutes(10))) struct BoundTests {
    /// A server that counts the calls of its responder.
    private func serve(
        calls: Counter = Counter(), _ configure: (inout ServerConfiguration) -> Void = { _ in }
    ) throws -> Server {
        var configuration = ServerConfiguration(port: 0)
        configure(&configuration)
        return try Server(configuration) { request in
            calls.add()
            let text = "\(request.body.count) \(request.headers.fields.count)"
            return Response(status: 200, body: .bytes(Array(text.utf8)))
        }
    }

    private func post(_ headers: String, _ body: String = "") -> String {
        "POST / HTTP/1.1\r\nHost: x\r\n\(headers)\r\n\r\n\(body)"
    }

    @Test func `a body of exactly the limit is accepted`() async throws {
        let server = try serve { $0.bodyLimit = 10 }
        let client = try RawClient(port: server.port)
        await client.send(post("Content-Length: 10", "0123456789"))
        #expect(try await client.answer().text == "10 2")
        await server.stop()
    }

    @Test func `a body announced as too large is rejected immediately`() async throws {
        let calls = Counter()
        let server = try serve(calls: calls) { $0.bodyLimit = 10 }
        let client = try RawClient(port: server.port)
        // No byte of the body is sent.
        await client.send(post("Content-Length: 11"))
        let response = try await client.answer()
        #expect(response.status == 413)
        #expect(response["Content-Type"] == "application/problem+json")
        #expect(await client.all() == "")
        #expect(calls.count == 0)
        await server.stop()
    }

    @Test func `a target that accepts files has a larger body limit and requires a length`()
        async throws
    {
        let server = try serve {
            $0.bodyLimit = 4
            $0.largeBodyLimit = { target, headers throws(Problem) in
                guard headers["X-Known"] != "no" else {
                    throw Problem(status: 401, code: "no", title: "No", detail: "No.")
                }
                return target == "/files" ? 10 : nil
            }
        }
        func upload(_ target: String, _ headers: String, _ body: String) async throws -> RawResponse
        {
            let client = try RawClient(port: server.port)
            await client.send("POST \(target) HTTP/1.1\r\nHost: x\r\n\(headers)\r\n\r\n" + body)
            return try await client.answer()
        }
        #expect(try await upload("/files", "Content-Length: 10", "0123456789").text == "10 2")
        #expect(try await upload("/files", "Content-Length: 11", "").status == 413)
        #expect(try await upload("/other", "Content-Length: 10", "").status == 413)
        #expect(try await upload("/files", "X-Known: no\r\nContent-Length: 10", "").status == 401)
        #expect(
            try await upload("/files", "Transfer-Encoding: chunked", "5\r\n01234\r\n0\r\n\r\n")
                .status
                == 413)
        await server.stop()
    }

    @Test func `the number of large bodies is limited, and their permits are released`()
        async throws
    {
        let server = try serve {
            $0.bodyLimit = 4
            $0.largeBodyLimit = { _, _ in 10 }
            $0.concurrentLargeBodies = 1
        }
        let first = try RawClient(port: server.port)
        await first.send(post("Expect: 100-continue\r\nContent-Length: 10", ""))
        #expect(await first.text(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
        let second = try RawClient(port: server.port)
        await second.send(post("Content-Length: 10", "0123456789"))
        let rejection = try await second.answer()
        #expect(rejection.status == 503)
        #expect(rejection["Retry-After"] != nil)
        await first.send("0123456789")
        #expect(try await first.answer().status == 200)
        let third = try RawClient(port: server.port)
        await third.send(post("Content-Length: 10", "0123456789"))
        #expect(try await third.answer().status == 200)
        await server.stop()
    }

    @Test func `a rejection response is built by the configured closure`() async throws {
        let calls = Counter()
        let server = try serve(calls: calls) {
            $0.bodyLimit = 4
            $0.makeRejectionResponse = { problem, request in
                let text = "\(problem.code) \(request.target)"
                return Response(
                    status: problem.status, headers: problem.headers, body: .bytes(Array(text.utf8))
                )
            }
        }
        let client = try RawClient(port: server.port)
        await client.send(post("Content-Length: 5"))
        let response = try await client.answer()
        #expect(response.text == "body-too-large /")
        #expect(response.status == 413)
        #expect(calls.count == 0)
        await server.stop()
    }

    @Test func `a chunked body that grows beyond the limit is rejected`() async throws {
        let calls = Counter()
        let server = try serve(calls: calls) { $0.bodyLimit = 10 }
        let client = try RawClient(port: server.port)
        await client.send(post("Transfer-Encoding: chunked", "b\r\n0123456789a\r\n0\r\n\r\n"))
        #expect(try await client.answer().status == 413)
        #expect(calls.count == 0)
        await server.stop()
    }

    @Test func `an endless body is cut off`() async throws {
        let server = try serve { $0.bodyLimit = 10 }
        let client = try RawClient(port: server.port)
        await client.send(post("Transfer-Encoding: chunked"))
        let chunk = "10000\r\n" + String(repeating: "a", count: 65536) + "\r\n"
        var chunks = 0
        while chunks < 2000, await client.send(chunk) { chunks += 1 }
        #expect(chunks < 2000)
        await server.stop()
    }

    @Test func `a thousand headers are accepted or rejected by size`() async throws {
        let server = try serve { $0.headerLimit = 64 << 10 }
        let client = try RawClient(port: server.port)
        let fields = (0..<1000).map { "a\($0): b\r\n" }.joined()
        await client.send("GET / HTTP/1.1\r\nHost: x\r\n\(fields)\r\n")
        let response = try await client.answer()
        #expect(response.text == "0 1001" || response.status == 431)
        await server.stop()
    }

    @Test func `headers just below the limit are accepted`() async throws {
        let server = try serve()
        let client = try RawClient(port: server.port)
        let large = String(repeating: "a", count: (12 << 10) - 100)
        await client.send(post("X-Large: \(large)\r\nContent-Length: 1", "a"))
        #expect(try await client.answer().text == "1 3")
        await server.stop()
    }

    @Test(arguments: [1 << 10, 8 << 10, 64 << 10, 1 << 20])
    func `headers beyond the limit are rejected`(size: Int) async throws {
        let calls = Counter()
        let server = try serve(calls: calls) { $0.headerLimit = 1 << 10 }
        let client = try RawClient(port: server.port)
        let large = String(repeating: "a", count: size)
        await client.send("GET / HTTP/1.1\r\nHost: x\r\nX-Large: \(large)\r\n\r\n")
        #expect(try await client.answer().status == 431)
        #expect(calls.count == 0)
        await server.stop()
    }

    @Test(arguments: [
        "Content-Length: 1\r\nContent-Length: 2",
        "Content-Length: 1\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: xchunked",
        "Transfer-Encoding: gzip, chunked",
        "Content-Length: +1", "Content-Length: 1a", "Content-Length: -1",
        "Content-Length: 99999999999999999999",
        "X-A: a\u{1}b", "X-A: a\u{7F}b", "X(A: b",
    ]) func `contradictory and malformed headers are rejected before the responder is called`(
        headers: String
    ) async throws {
        let calls = Counter()
        let server = try serve(calls: calls)
        let client = try RawClient(port: server.port)
        await client.send(post(headers, "a"))
        let status = try await client.answer().status
        #expect(status == 400 || status == 413)
        #expect(calls.count == 0)
        await server.stop()
    }

    /// libmicrohttpd has little memory per connection, and closes it silently when none is left for
    /// the response.
    @Test(arguments: [1, 10, 50, 100, 200])
    func `a request that reaches the responder leaves memory for the response`(size: Int)
        async throws
    {
        var configuration = ServerConfiguration(port: 0)
        configuration.headerLimit = 8 << 10
        let calls = Counter()
        let long = String(repeating: "b", count: 3_000)
        let server = try Server(configuration) { _ in
            calls.add()
            return Response(status: 200, headers: ["X-Long": long])
        }
        let value = String(repeating: "v", count: size)
        for count in stride(from: 10, to: 260, by: 10) {
            let fields = (0..<count).map { "a\($0): \(value)\r\n" }.joined()
            let before = calls.count
            let client = try RawClient(port: server.port)
            await client.send("GET / HTTP/1.1\r\nHost: x\r\n\(fields)\r\n")
            let status = try? await client.answer().status
            if calls.count > before {
                #expect(status == 200, "\(count) headers")
            } else {
                #expect(status == 431 || status == nil)
            }
        }
        #expect(calls.count > 0)
        await server.stop()
    }

    @Test(arguments: ["/é", "/\u{7f}"]) func `a target that is not printable ASCII is rejected`(
        target: String
    )
        async throws
    {
        let calls = Counter()
        let server = try serve(calls: calls)
        let client = try RawClient(port: server.port)
        await client.send("GET \(target) HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try await client.answer().status == 400)
        #expect(calls.count == 0)
        await server.stop()
    }

    @Test(arguments: [
        "", "G", "GET / HTTP/1.1\r\nHost: x\r\n",
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nabc",
    ]) func `an incomplete request is disconnected at the deadline`(part: String) async throws {
        let calls = Counter()
        let server = try serve(calls: calls) { $0.requestDeadline = .milliseconds(100) }
        let client = try RawClient(port: server.port)
        await client.send(part)
        #expect(await client.all() == "")
        #expect(calls.count == 0)
        await server.stop()
    }

    @Test func `a slow trickle of bytes does not extend the deadline`() async throws {
        let server = try serve { $0.requestDeadline = .milliseconds(100) }
        let client = try RawClient(port: server.port)
        await client.send("GET / HTTP/1.1\r\nX-Slow: ")
        // Ends only when the server disconnects.
        while await client.send("a") { await Task.yield() }
        await server.stop()
    }

    @Test func `a slow response does not count toward the request deadline`() async throws {
        // The request has to be complete by then, on a busy machine too.
        let server = try Server(deadline(.milliseconds(600))) { _ in
            try? await Task.sleep(for: .milliseconds(900))
            return Response(status: 200)
        }
        let client = try RawClient(port: server.port)
        await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try await client.answer().status == 200)
        await server.stop()
    }

    private func deadline(_ duration: Duration) -> ServerConfiguration {
        var configuration = ServerConfiguration(port: 0)
        configuration.requestDeadline = duration
        return configuration
    }
}
