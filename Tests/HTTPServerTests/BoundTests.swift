import HTTPServer
import Support
import Testing
import Web

/// What a request may be at most, and what happens to one that is more.
@Suite(.timeLimit(.minutes(10))) struct BoundTests {
    /// A server that counts whom it asked.
    private func serve(
        asked: Counter = Counter(), _ change: (inout ServerConfiguration) -> Void = { _ in }
    ) throws -> Server {
        var configuration = ServerConfiguration(port: 0)
        change(&configuration)
        return try Server(configuration) { request in
            asked.add()
            let text = "\(request.body.count) \(request.headers.fields.count)"
            return Response(status: 200, body: .bytes(Array(text.utf8)))
        }
    }

    private func post(_ headers: String, _ body: String = "") -> String {
        "POST / HTTP/1.1\r\nHost: x\r\n\(headers)\r\n\r\n\(body)"
    }

    @Test func `a body at the limit is taken`() async throws {
        let server = try serve { $0.bodyLimit = 10 }
        let client = try RawClient(port: server.port)
        await client.send(post("Content-Length: 10", "0123456789"))
        #expect(try await client.answer().text == "10 2")
        await server.stop()
    }

    @Test func `a body announced too large is refused at once`() async throws {
        let asked = Counter()
        let server = try serve(asked: asked) { $0.bodyLimit = 10 }
        let client = try RawClient(port: server.port)
        // Not a byte of it is sent.
        await client.send(post("Content-Length: 11"))
        let answer = try await client.answer()
        #expect(answer.status == 413)
        #expect(answer["Content-Type"] == "application/problem+json")
        #expect(await client.all() == "")
        #expect(asked.count == 0)
        await server.stop()
    }

    @Test func `where files are taken a body may have more, and tells how much`() async throws {
        let server = try serve {
            $0.bodyLimit = 4
            $0.largeBodyLimit = { target, headers throws(Problem) in
                guard headers["X-Known"] != "no" else {
                    throw Problem(status: 401, code: "no", title: "No", detail: "No.")
                }
                return target == "/files" ? 10 : nil
            }
        }
        func ask(_ target: String, _ headers: String, _ body: String) async throws -> RawResponse {
            let client = try RawClient(port: server.port)
            await client.send("POST \(target) HTTP/1.1\r\nHost: x\r\n\(headers)\r\n\r\n" + body)
            return try await client.answer()
        }
        #expect(try await ask("/files", "Content-Length: 10", "0123456789").text == "10 2")
        #expect(try await ask("/files", "Content-Length: 11", "").status == 413)
        #expect(try await ask("/other", "Content-Length: 10", "").status == 413)
        #expect(try await ask("/files", "X-Known: no\r\nContent-Length: 10", "").status == 401)
        #expect(
            try await ask("/files", "Transfer-Encoding: chunked", "5\r\n01234\r\n0\r\n\r\n").status
                == 413)
        await server.stop()
    }

    @Test func `few large bodies are held at once, and their places come free`() async throws {
        let server = try serve {
            $0.bodyLimit = 4
            $0.largeBodyLimit = { _, _ in 10 }
            $0.concurrentLargeBodies = 1
        }
        let first = try RawClient(port: server.port)
        await first.send(post("Content-Length: 10", "01234"))
        var second: RawResponse?
        // The first may not have been read yet.
        for _ in 0..<200 {
            let client = try RawClient(port: server.port)
            await client.send(post("Content-Length: 10", "0123456789"))
            second = try await client.answer()
            if second?.status == 503 { break }
        }
        #expect(second?.status == 503)
        #expect(second?["Retry-After"] != nil)
        await first.send("56789")
        #expect(try await first.answer().status == 200)
        let third = try RawClient(port: server.port)
        await third.send(post("Content-Length: 10", "0123456789"))
        #expect(try await third.answer().status == 200)
        await server.stop()
    }

    @Test func `what is refused is said in the words of who is asked for them`() async throws {
        let asked = Counter()
        let server = try serve(asked: asked) {
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
        let answer = try await client.answer()
        #expect(answer.text == "body-too-large /")
        #expect(answer.status == 413)
        #expect(asked.count == 0)
        await server.stop()
    }

    @Test func `a body that grows too large is refused`() async throws {
        let asked = Counter()
        let server = try serve(asked: asked) { $0.bodyLimit = 10 }
        let client = try RawClient(port: server.port)
        await client.send(post("Transfer-Encoding: chunked", "b\r\n0123456789a\r\n0\r\n\r\n"))
        #expect(try await client.answer().status == 413)
        #expect(asked.count == 0)
        await server.stop()
    }

    @Test func `a body without end is cut off`() async throws {
        let server = try serve { $0.bodyLimit = 10 }
        let client = try RawClient(port: server.port)
        await client.send(post("Transfer-Encoding: chunked"))
        let chunk = "10000\r\n" + String(repeating: "a", count: 65536) + "\r\n"
        var chunks = 0
        while chunks < 2000, await client.send(chunk) { chunks += 1 }
        #expect(chunks < 2000)
        await server.stop()
    }

    @Test func `a thousand headers are taken or refused by size`() async throws {
        let server = try serve { $0.headerLimit = 64 << 10 }
        let client = try RawClient(port: server.port)
        let few = (0..<1000).map { "a\($0): b\r\n" }.joined()
        await client.send("GET / HTTP/1.1\r\nHost: x\r\n\(few)\r\n")
        let answer = try await client.answer()
        #expect(answer.text == "0 1001" || answer.status == 431)
        await server.stop()
    }

    @Test func `headers just below the limit are taken`() async throws {
        let server = try serve()
        let client = try RawClient(port: server.port)
        let large = String(repeating: "a", count: (12 << 10) - 100)
        await client.send(post("X-Large: \(large)\r\nContent-Length: 1", "a"))
        #expect(try await client.answer().text == "1 3")
        await server.stop()
    }

    @Test(arguments: [1 << 10, 8 << 10, 64 << 10, 1 << 20])
    func `headers beyond the limit are refused`(size: Int) async throws {
        let asked = Counter()
        let server = try serve(asked: asked) { $0.headerLimit = 1 << 10 }
        let client = try RawClient(port: server.port)
        let large = String(repeating: "a", count: size)
        await client.send("GET / HTTP/1.1\r\nHost: x\r\nX-Large: \(large)\r\n\r\n")
        #expect(try await client.answer().status == 431)
        #expect(asked.count == 0)
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
    ]) func `contradictions are refused before anything acts`(headers: String) async throws {
        let asked = Counter()
        let server = try serve(asked: asked)
        let client = try RawClient(port: server.port)
        await client.send(post(headers, "a"))
        let status = try await client.answer().status
        #expect(status == 400 || status == 413)
        #expect(asked.count == 0)
        await server.stop()
    }

    /// libmicrohttpd has little memory for a connection, and ends it without
    /// a word when there is none left for the answer.
    @Test(arguments: [1, 10, 50, 100, 200]) func `who is asked has room for the answer`(size: Int)
        async throws
    {
        var configuration = ServerConfiguration(port: 0)
        configuration.headerLimit = 8 << 10
        let asked = Counter()
        let long = String(repeating: "b", count: 3_000)
        let server = try Server(configuration) { _ in
            asked.add()
            return Response(status: 200, headers: ["X-Long": long])
        }
        let value = String(repeating: "v", count: size)
        for count in stride(from: 10, to: 260, by: 10) {
            let fields = (0..<count).map { "a\($0): \(value)\r\n" }.joined()
            let before = asked.count
            let client = try RawClient(port: server.port)
            await client.send("GET / HTTP/1.1\r\nHost: x\r\n\(fields)\r\n")
            let status = try? await client.answer().status
            if asked.count > before {
                #expect(status == 200, "\(count) headers")
            } else {
                #expect(status == 431 || status == nil)
            }
        }
        #expect(asked.count > 0)
        await server.stop()
    }

    @Test(arguments: ["/é", "/\u{7f}"]) func `a target that is not ASCII is refused`(target: String)
        async throws
    {
        let asked = Counter()
        let server = try serve(asked: asked)
        let client = try RawClient(port: server.port)
        await client.send("GET \(target) HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try await client.answer().status == 400)
        #expect(asked.count == 0)
        await server.stop()
    }

    @Test(arguments: [
        "", "G", "GET / HTTP/1.1\r\nHost: x\r\n",
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nabc",
    ]) func `a request that does not become whole ends its connection`(part: String) async throws {
        let asked = Counter()
        let server = try serve(asked: asked) { $0.requestDeadline = .milliseconds(100) }
        let client = try RawClient(port: server.port)
        await client.send(part)
        #expect(await client.all() == "")
        #expect(asked.count == 0)
        await server.stop()
    }

    @Test func `a byte now and then does not keep a connection`() async throws {
        let server = try serve { $0.requestDeadline = .milliseconds(100) }
        let client = try RawClient(port: server.port)
        await client.send("GET / HTTP/1.1\r\nX-Slow: ")
        // Ends only because the server ends it.
        while await client.send("a") { await Task.yield() }
        await server.stop()
    }

    @Test func `a slow answer is not held against the request`() async throws {
        // The request has to be whole by then, on a busy machine too.
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
