import HTTPClient
import Support
import Synchronization
import Testing
import Web

/// What leaves, what comes back, and over which connection.
@Suite(.timeLimit(.minutes(10))) struct ClientTests {
    private func client(_ change: (inout ClientConfiguration) -> Void = { _ in }) throws
        -> Transport
    {
        var configuration = ClientConfiguration()
        configuration.userAgent = "Foyer/test"
        change(&configuration)
        return try Client(configuration).transport
    }

    @Test func `an answer comes back whole`() async throws {
        let server = try ScriptedServer { _ in
            .answer(201, "{\"a\":1}", headers: [("X-Twice", "one"), ("x-twice", " two ")])
        }
        defer { server.stop() }
        let result = try await client().get(server.url + "/a?b=c")
        let response = try result.answer()
        #expect(response.status == 201)
        #expect(response.body == Array("{\"a\":1}".utf8))
        #expect(response.headers.all("X-Twice") == ["one", "two"])
        #expect(response.headers["content-type"] == "application/json")
        #expect(result.remoteAddress == "127.0.0.1:\(server.port)")
        #expect(server.requests.first?.target == "/a?b=c")
    }

    @Test func `an answer that says no is an answer`() async throws {
        let server = try ScriptedServer { _ in .answer(503, "later") }
        defer { server.stop() }
        #expect(try await client().get(server.url).answer().status == 503)
    }

    @Test(arguments: [
        ("GET", "", false), ("GET", "body", true), ("HEAD", "", false),
        ("POST", "", true), ("POST", "a=b&c=d", true), ("PUT", "{}", true),
        ("PATCH", "{}", true), ("DELETE", "", false),
        ("DELETE", "{}", true), ("OPTIONS", "", false),
    ])
    func `what is recorded as sent is what left`(
        method: String, body: String, hasLength: Bool
    ) async throws {
        let server = try ScriptedServer { request in
            request.method == "HEAD"
                ? .bytes(Array("HTTP/1.1 200 OK\r\n\r\n".utf8)) : .answer(200, "ok")
        }
        defer { server.stop() }
        let result = try await client().send(
            OutboundRequest(
                method: Method(rawValue: method), url: server.url + "/x",
                headers: [
                    "authorization": "Bearer t", "X-Empty": "",
                    "apikey": " k ", "Content-Length": "999",
                    "Expect": "100-continue", "Transfer-Encoding": "chunked",
                ], body: Array(body.utf8)))
        _ = try result.answer()
        let request = try #require(server.requests.first)
        #expect(request.method == method)
        #expect(request.text == body)
        let received = request.headers.map { Headers.Field(name: $0.name, value: $0.value) }
        #expect(received == result.sentHeaders.fields)
        var expected: Headers = [
            "Host": "127.0.0.1:\(server.port)", "authorization": "Bearer t",
            "X-Empty": "", "apikey": "k", "User-Agent": "Foyer/test",
            "Accept": "*/*",
        ]
        if hasLength { expected.add("Content-Length", "\(body.utf8.count)") }
        #expect(result.sentHeaders == expected)
    }

    @Test func `the request's own fields are not replaced`() async throws {
        let server = try ScriptedServer { _ in .answer(200) }
        defer { server.stop() }
        let headers: Headers = [
            "User-Agent": "Bob/1", "Accept": "application/json",
            "Content-Type": "application/json; charset=utf-8",
        ]
        _ = try await client().post(server.url, "{}", headers: headers).answer()
        let request = try #require(server.requests.first)
        for field in headers.fields { #expect(request.header(field.name) == field.value) }
        #expect(request.headers.count == 5)
    }

    @Test func `a path leaves as it is`() async throws {
        let server = try ScriptedServer { _ in .answer(200) }
        defer { server.stop() }
        let path = "/a/../b//%61/./c?x=%20&y=[1]"
        _ = try await client().get(server.url + path + "#fragment").answer()
        #expect(server.requests.first?.target == path)
    }

    @Test func `a redirect is an answer and is not followed`() async throws {
        let server = try ScriptedServer { request in .redirect(to: "/elsewhere") }
        defer { server.stop() }
        let response = try await client().get(server.url).answer()
        #expect(response.status == 302)
        #expect(response.headers["Location"] == "/elsewhere")
        #expect(server.requests.count == 1)
    }

    @Test func `a cookie is not kept`() async throws {
        let server = try ScriptedServer { _ in .answer(200, headers: [("Set-Cookie", "a=b")]) }
        defer { server.stop() }
        let transport = try client()
        _ = try await transport.get(server.url).answer()
        _ = try await transport.get(server.url).answer()
        #expect(server.requests.last?.header("Cookie") == nil)
    }

    @Test func `a compressed body stays as it came`() async throws {
        let server = try ScriptedServer { _ in
            .answer(200, "not gzip", headers: [("Content-Encoding", "gzip")])
        }
        defer { server.stop() }
        let response = try await client().get(server.url).answer()
        #expect(response.body == Array("not gzip".utf8))
    }

    @Test func `an interim answer is not the answer`() async throws {
        let server = try ScriptedServer { _ in
            .raw(
                "HTTP/1.1 103 Early Hints\r\nX-Early: 1\r\n\r\n"
                    + "HTTP/1.1 200 OK\r\nX-Late: 1\r\nContent-Length: 2\r\n\r\nok")
        }
        defer { server.stop() }
        let response = try await client().get(server.url).answer()
        #expect(response.status == 200)
        #expect(response.headers["X-Early"] == nil)
        #expect(response.headers["X-Late"] == "1")
    }

    @Test func `trailers do not pass for headers`() async throws {
        let server = try ScriptedServer { _ in
            .raw(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "2\r\nok\r\n0\r\nX-Trailer: 1\r\n\r\n")
        }
        defer { server.stop() }
        let response = try await client().get(server.url).answer()
        #expect(response.body == Array("ok".utf8))
        #expect(response.headers["X-Trailer"] == nil)
    }

    @Test func `a connection is kept`() async throws {
        let server = try ScriptedServer { _ in .answer(200, "ok") }
        defer { server.stop() }
        let transport = try client()
        let first = await transport.get(server.url)
        let second = await transport.get(server.url)
        _ = try second.answer()
        #expect(server.requests.map(\.connection) == [1, 1])
        #expect(first.timings.connect != nil)
        #expect(second.timings.connect == nil)
        #expect(second.timings.firstByte != nil)
        #expect(second.remoteAddress == first.remoteAddress)
    }

    @Test func `a kept connection that has ended is replaced`() async throws {
        let server = try ScriptedServer { _ in .answer(200).closing }
        defer { server.stop() }
        let transport = try client()
        for _ in 1...3 {
            _ = try await transport.post(server.url, "{}").answer()
            await server.idle()
        }
        #expect(server.requests.map(\.connection) == [1, 2, 3])
    }

    @Test(arguments: [("GET", 3), ("POST", 2), ("PATCH", 2), ("DELETE", 2)])
    func `only what changes nothing is sent again by itself`(method: String, count: Int)
        async throws
    {
        // The first connection answers once and ends at the second request.
        let first = Mutex(true)
        let server = try ScriptedServer { request in
            let isFirst = first.withLock { first in
                defer { first = false }
                return first
            }
            return isFirst || request.connection > 1 ? .answer(200) : .close
        }
        defer { server.stop() }
        let transport = try client()
        _ = try await transport.get(server.url).answer()
        let result = await transport.send(
            OutboundRequest(method: Method(rawValue: method), url: server.url))
        #expect(server.requests.count == count)
        if count == 2 {
            #expect(result.failure?.kind == .connection)
            #expect(result.failure?.detail.contains("carried out") == true)
            #expect(result.sentHeaders["Host"] != nil)
        } else {
            #expect(try result.answer().status == 200)
        }
    }

    @Test func `only phases that happened have a time`() async throws {
        let server = try ScriptedServer { _ in .answer(200, "ok") }
        defer { server.stop() }
        let byAddress = try await client().get(server.url).timings
        #expect(byAddress.nameLookup == nil)
        #expect(byAddress.tls == nil)
        let connect = try #require(byAddress.connect)
        let firstByte = try #require(byAddress.firstByte)
        #expect(connect > 0 && firstByte > 0)
        #expect(byAddress.total >= firstByte)
        let byName = try await client().get("http://localhost:\(server.port)").timings
        #expect(byName.nameLookup != nil)
    }

    @Test func `a hundred requests go at once`() async throws {
        let server = try ScriptedServer { request in .answer(200, request.text) }
        defer { server.stop() }
        let transport = try client()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask {
                    let response = try await transport.post(server.url, "\(number)").answer()
                    #expect(response.body == Array("\(number)".utf8))
                }
            }
            try await group.waitForAll()
        }
        #expect(server.requests.count == 100)
    }

    @Test func `a body of the largest size goes and comes`() async throws {
        let server = try ScriptedServer { .answer(200, $0.text) }
        defer { server.stop() }
        let body = String(repeating: "x", count: 1 << 20)
        let response = try await client().post(server.url, body).answer()
        #expect(response.body == Array(body.utf8))
    }

    @Test func `a client that is closed sends nothing`() async throws {
        let server = try ScriptedServer { _ in .answer(200) }
        defer { server.stop() }
        let client = try Client(ClientConfiguration())
        _ = try await client.transport.get(server.url).answer()
        await client.close()
        await server.idle()
        let failure = await client.transport.get(server.url).failure
        #expect(failure?.kind == .cancelled)
        await client.close()
        #expect(server.requests.count == 1)
    }
}
