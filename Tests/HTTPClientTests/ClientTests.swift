import HTTPClient
import Support
import Synchronization
import Testing
import Web

/// Requests, responses and reuse of connections.
@Suite(.timeLimit(.minutes(10))) struct ClientTests {
    private func client(_ configure: (inout ClientConfiguration) -> Void = { _ in }) throws
        -> Transport
    {
        var configuration = ClientConfiguration()
        configuration.userAgent = "Foyer/test"
        configure(&configuration)
        return try Client(configuration).transport
    }

    @Test func `a response arrives complete`() async throws {
        let server = try ScriptedServer { _ in
            .answer(201, "{\"a\":1}", headers: [("X-Twice", "one"), ("x-twice", " two ")])
        }
        defer { server.stop() }
        let result = try await client().get(server.url + "/a?b=c")
        let response = try result.response()
        #expect(response.status == 201)
        #expect(response.body == Array("{\"a\":1}".utf8))
        #expect(response.headers.all("X-Twice") == ["one", "two"])
        #expect(response.headers["content-type"] == "application/json")
        #expect(result.remoteAddress == "127.0.0.1:\(server.port)")
        #expect(server.requests.first?.target == "/a?b=c")
    }

    @Test func `an error status is a response, not a failure`() async throws {
        let server = try ScriptedServer { _ in .answer(503, "later") }
        defer { server.stop() }
        #expect(try await client().get(server.url).response().status == 503)
    }

    @Test(arguments: [
        ("GET", "", false), ("GET", "body", true), ("HEAD", "", false),
        ("POST", "", true), ("POST", "a=b&c=d", true), ("PUT", "{}", true),
        ("PATCH", "{}", true), ("DELETE", "", false),
        ("DELETE", "{}", true), ("OPTIONS", "", false),
    ])
    func `the recorded header fields are exactly those sent`(
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
        _ = try result.response()
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

    @Test func `a request sends nothing of the request before it`() async throws {
        let server = try ScriptedServer { request in
            request.method == "HEAD"
                ? .bytes(Array("HTTP/1.1 200 OK\r\n\r\n".utf8)) : .answer(200, "ok")
        }
        defer { server.stop() }
        let client = try client()
        let messages = [
            ("POST", "a=b"), ("GET", ""), ("DELETE", ""), ("PUT", "{}"), ("POST", ""), ("HEAD", ""),
            ("GET", ""), ("DELETE", "c"), ("OPTIONS", ""), ("PATCH", "de"), ("HEAD", ""),
            ("POST", "f"), ("GET", "g"), ("GET", ""),
        ]
        for (number, (method, body)) in messages.enumerated() {
            let result = await client.send(
                OutboundRequest(
                    method: Method(rawValue: method), url: server.url + "/\(number)",
                    headers: [:], body: Array(body.utf8)))
            #expect(try result.response().status == 200)
        }
        let received = server.requests
        #expect(received.map(\.method) == messages.map(\.0))
        #expect(received.map(\.target) == messages.indices.map { "/\($0)" })
        #expect(received.map(\.text) == messages.map(\.1))
    }

    @Test func `the request's own header fields are not replaced`() async throws {
        let server = try ScriptedServer { _ in .answer(200) }
        defer { server.stop() }
        let headers: Headers = [
            "User-Agent": "Bob/1", "Accept": "application/json",
            "Content-Type": "application/json; charset=utf-8",
        ]
        _ = try await client().post(server.url, "{}", headers: headers).response()
        let request = try #require(server.requests.first)
        for field in headers.fields { #expect(request.header(field.name) == field.value) }
        #expect(request.headers.count == 5)
    }

    @Test func `a path is sent unchanged`() async throws {
        let server = try ScriptedServer { _ in .answer(200) }
        defer { server.stop() }
        let path = "/a/../b//%61/./c?x=%20&y=[1]"
        _ = try await client().get(server.url + path + "#fragment").response()
        #expect(server.requests.first?.target == path)
    }

    @Test func `a redirect is a response and is not followed`() async throws {
        let server = try ScriptedServer { request in .redirect(to: "/elsewhere") }
        defer { server.stop() }
        let response = try await client().get(server.url).response()
        #expect(response.status == 302)
        #expect(response.headers["Location"] == "/elsewhere")
        #expect(server.requests.count == 1)
    }

    @Test func `a cookie is not stored`() async throws {
        let server = try ScriptedServer { _ in .answer(200, headers: [("Set-Cookie", "a=b")]) }
        defer { server.stop() }
        let transport = try client()
        _ = try await transport.get(server.url).response()
        _ = try await transport.get(server.url).response()
        #expect(server.requests.last?.header("Cookie") == nil)
    }

    @Test func `a compressed body is not decoded`() async throws {
        let server = try ScriptedServer { _ in
            .answer(200, "not gzip", headers: [("Content-Encoding", "gzip")])
        }
        defer { server.stop() }
        let response = try await client().get(server.url).response()
        #expect(response.body == Array("not gzip".utf8))
    }

    @Test func `an interim response is not the final response`() async throws {
        let server = try ScriptedServer { _ in
            .raw(
                "HTTP/1.1 103 Early Hints\r\nX-Early: 1\r\n\r\n"
                    + "HTTP/1.1 200 OK\r\nX-Late: 1\r\nContent-Length: 2\r\n\r\nok")
        }
        defer { server.stop() }
        let response = try await client().get(server.url).response()
        #expect(response.status == 200)
        #expect(response.headers["X-Early"] == nil)
        #expect(response.headers["X-Late"] == "1")
    }

    @Test func `trailers are not added to the headers`() async throws {
        let server = try ScriptedServer { _ in
            .raw(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "2\r\nok\r\n0\r\nX-Trailer: 1\r\n\r\n")
        }
        defer { server.stop() }
        let response = try await client().get(server.url).response()
        #expect(response.body == Array("ok".utf8))
        #expect(response.headers["X-Trailer"] == nil)
    }

    @Test func `a connection is reused`() async throws {
        let server = try ScriptedServer { _ in .answer(200, "ok") }
        defer { server.stop() }
        let transport = try client()
        let first = await transport.get(server.url)
        let second = await transport.get(server.url)
        _ = try second.response()
        #expect(server.requests.map(\.connection) == [1, 1])
        #expect(first.timings.connect != nil)
        #expect(second.timings.connect == nil)
        #expect(second.timings.firstByte != nil)
        #expect(second.remoteAddress == first.remoteAddress)
    }

    @Test func `a pooled connection that was closed is replaced`() async throws {
        let server = try ScriptedServer { _ in .answer(200).closing }
        defer { server.stop() }
        let transport = try client()
        for _ in 1...3 {
            _ = try await transport.post(server.url, "{}").response()
            await server.idle()
        }
        #expect(server.requests.map(\.connection) == [1, 2, 3])
    }

    @Test(arguments: [("GET", 3), ("POST", 2), ("PATCH", 2), ("DELETE", 2)])
    func `only a safe request is retried automatically`(method: String, count: Int)
        async throws
    {
        // The first connection responds once and is closed at the second request.
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
        _ = try await transport.get(server.url).response()
        let result = await transport.send(
            OutboundRequest(method: Method(rawValue: method), url: server.url))
        #expect(server.requests.count == count)
        if count == 2 {
            #expect(result.failure?.kind == .connection)
            #expect(result.failure?.detail.contains("may have been processed") == true)
            #expect(result.sentHeaders["Host"] != nil)
        } else {
            #expect(try result.response().status == 200)
        }
    }

    @Test func `only phases that took place have a timing`() async throws {
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

    @Test func `a hundred requests run concurrently`() async throws {
        let server = try ScriptedServer { request in .answer(200, request.text) }
        defer { server.stop() }
        let transport = try client()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask {
                    let response = try await transport.post(server.url, "\(number)").response()
                    #expect(response.body == Array("\(number)".utf8))
                }
            }
            try await group.waitForAll()
        }
        #expect(server.requests.count == 100)
    }

    @Test func `a body of the maximum size is sent and received`() async throws {
        let server = try ScriptedServer { .answer(200, $0.text) }
        defer { server.stop() }
        let body = String(repeating: "x", count: 1 << 20)
        let response = try await client().post(server.url, body).response()
        #expect(response.body == Array(body.utf8))
    }

    @Test func `a closed client sends nothing`() async throws {
        let server = try ScriptedServer { _ in .answer(200) }
        defer { server.stop() }
        let client = try Client(ClientConfiguration())
        _ = try await client.transport.get(server.url).response()
        await client.close()
        await server.idle()
        let failure = await client.transport.get(server.url).failure
        #expect(failure?.kind == .cancelled)
        await client.close()
        #expect(server.requests.count == 1)
    }
}
