import HTTPClient
import Support
import Testing
import Web

/// A missing response is a failure with a kind and a message, never an invented status.
@Suite(.timeLimit(.minutes(10))) struct FailureTests {
    private func client(_ configure: (inout ClientConfiguration) -> Void = { _ in }) throws
        -> Transport
    {
        var configuration = ClientConfiguration()
        configure(&configuration)
        return try Client(configuration).transport
    }

    /// The failure of a GET from a server with this reply.
    private func failure(
        of reply: ScriptedReply, timeout: Duration = .seconds(20),
        _ configure: (inout ClientConfiguration) -> Void = { _ in }
    ) async throws -> TransportFailure? {
        let server = try ScriptedServer { _ in reply }
        defer { server.stop() }
        return try await client(configure).get(server.url, timeout: timeout).failure
    }

    @Test func `a port without a listener is a connection failure`() async throws {
        let server = try ScriptedServer { _ in .close }
        server.stop()
        let url = "http://localhost:\(server.port)/secret?token=x"
        let result = try await client().get(url)
        let failure = try #require(result.failure)
        #expect(failure.kind == .connection)
        #expect(failure.detail.contains("localhost:\(server.port)"))
        #expect(!failure.detail.contains("secret"))
        #expect(result.remoteAddress == nil)
        #expect(result.sentHeaders == [:])
        #expect(result.timings.firstByte == nil)
    }

    @Test func `an unknown host name is a name lookup failure`() async throws {
        let failure = try await client().get("https://no-host.invalid/").failure
        #expect(failure?.kind == .nameLookup)
        #expect(failure?.detail.contains("no-host.invalid") == true)
    }

    @Test(arguments: [
        ScriptedReply.close, .reset, .raw("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfour"),
        Self.halfResponse(then: .reset), Self.halfResponse(then: .close),
    ]) func `a lost connection is a connection failure`(reply: ScriptedReply) async throws {
        #expect(try await failure(of: reply)?.kind == .connection)
    }

    @Test(arguments: [
        "SSH-2.0-OpenSSH_9.2\r\n", "no http at all\r\n\r\n",
        "HTTP/1.1 abc\r\n\r\n", "\u{15}\u{3}\u{1}\0\u{2}\u{2}(",
        "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nx",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ]) func `text that is not HTTP is an invalid response`(text: String) async throws {
        #expect(try await failure(of: .raw(text))?.kind == .invalidResponse)
    }

    /// The transfer ends immediately: what follows is not HTTP, and may never end.
    @Test func `a protocol switch that was not requested is an invalid response`() async throws {
        let head =
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
            + "Connection: Upgrade\r\n\r\n"
        let failure = try await failure(of: ScriptedReply([.send(Array(head.utf8)), .waitForEver]))
        #expect(failure?.kind == .invalidResponse)
        #expect(failure?.detail.contains("101") == true)
    }

    @Test func `too many header fields are an invalid response`() async throws {
        #expect(try await failure(of: .headers(300))?.kind == .invalidResponse)
        #expect(try await failure(of: .headers(200)) == nil)
    }

    @Test func `a header block that is too large is an invalid response`() async throws {
        let value = String(repeating: "v", count: 4000)
        let reply = ScriptedReply.answer(200, headers: (0..<40).map { ("X-\($0)", value) })
        #expect(try await failure(of: reply)?.kind == .invalidResponse)
    }

    @Test func `a header field that is too long is an invalid response`() async throws {
        let value = String(repeating: "v", count: 300_000)
        let failure = try await failure(of: .answer(200, headers: [("X", value)]))
        #expect(failure?.kind == .invalidResponse)
        #expect(failure?.detail.contains("emory") == false)
    }

    @Test func `endless header fields are an invalid response`() async throws {
        let reply = ScriptedReply([
            .send(Array("HTTP/1.1 200 OK\r\n".utf8)), .sendForEver(Array("X: y\r\n".utf8)),
        ])
        #expect(try await failure(of: reply)?.kind == .invalidResponse)
    }

    @Test func `a response that is too large is rejected while it arrives`() async throws {
        let failure = try await failure(of: .endless) { $0.responseLimit = 100_000 }
        #expect(failure?.kind == .tooLarge)
        #expect(failure?.detail.contains("100000 bytes") == true)
    }

    @Test func `a response of exactly the limit is accepted`() async throws {
        let body = String(repeating: "x", count: 1000)
        for (limit, kind) in [(1000, nil), (999, TransportFailure.Kind.tooLarge)] {
            let failure = try await failure(of: .answer(200, body)) { $0.responseLimit = limit }
            #expect(failure?.kind == kind)
        }
    }

    @Test func `a request that is too large is not sent`() async throws {
        let server = try ScriptedServer { _ in .answer(200) }
        defer { server.stop() }
        let body = String(repeating: "x", count: (1 << 20) + 1)
        let failure = try await client().post(server.url, body).failure
        #expect(failure?.kind == .requestTooLarge)
        #expect(server.connections == 0)
    }

    @Test func `a response that is too late is a timeout`() async throws {
        // The response would be sent after twenty seconds.
        let late = ScriptedReply.answer(200).delayed(by: .seconds(20))
        let failure = try await failure(of: late, timeout: .seconds(1))
        #expect(failure?.kind == .timeout)
        #expect(failure?.detail.contains("did not respond within 1000 ms") == true)
    }

    @Test func `a response that stops halfway is a timeout`() async throws {
        let failure = try await failure(
            of: Self.halfResponse(then: .waitForEver), timeout: .seconds(1))
        #expect(failure?.kind == .timeout)
        #expect(failure?.detail.contains("did not finish") == true)
    }

    @Test func `a timeout reports the sent headers and the duration`() async throws {
        let server = try ScriptedServer { _ in .silence }
        defer { server.stop() }
        let result = try await client().get(server.url, timeout: .seconds(1))
        #expect(result.sentHeaders["Host"] == "127.0.0.1:\(server.port)")
        // libcurl's clock and its timer may differ by a millisecond.
        #expect(result.timings.total > 990)
        #expect(result.timings.firstByte == nil)
    }

    @Test func `a canceled task ends its transfer`() async throws {
        let server = try ScriptedServer { _ in .silence }
        defer { server.stop() }
        let transport = try client()
        let task = Task { await transport.get(server.url) }
        await server.received()
        task.cancel()
        #expect(await task.value.failure?.kind == .cancelled)
        await server.idle()
    }

    @Test func `a task canceled before its request sends nothing`() async throws {
        let server = try ScriptedServer { _ in .answer(200) }
        defer { server.stop() }
        let transport = try client()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await transport.get(server.url)
        }
        #expect(await task.value.failure?.kind == .cancelled)
        _ = try await transport.get(server.url).response()
        #expect(server.requests.count == 1)
    }

    @Test func `closing the client ends every transfer`() async throws {
        let server = try ScriptedServer { _ in .silence }
        defer { server.stop() }
        let client = try Client(ClientConfiguration())
        let transport = client.transport
        let tasks = (0..<5).map { _ in Task { await transport.get(server.url) } }
        await server.received(5)
        await client.close()
        for task in tasks { #expect(await task.value.failure?.kind == .cancelled) }
        await server.idle()
    }

    @Test func `requests beyond the transfer limit fail immediately`() async throws {
        let server = try ScriptedServer { _ in .silence }
        defer { server.stop() }
        let transport = try client { $0.transferLimit = 2 }
        let tasks = (0..<2).map { _ in Task { await transport.get(server.url) } }
        await server.received(2)
        let failure = await transport.get(server.url).failure
        #expect(failure?.kind == .connection)
        #expect(failure?.detail.contains("2 requests") == true)
        for task in tasks { task.cancel() }
        for task in tasks { _ = await task.value }
    }

    @Test func `a completed request frees its transfer slot`() async throws {
        let server = try ScriptedServer { _ in .answer(200) }
        defer { server.stop() }
        let transport = try client { $0.transferLimit = 1 }
        for _ in 0..<500 { #expect(await transport.get(server.url).failure == nil) }
    }

    /// Half of a response, followed by `step`.
    private static func halfResponse(then step: ScriptedReply.Step) -> ScriptedReply {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"
        return ScriptedReply([.send(Array(head.utf8)), step])
    }
}
