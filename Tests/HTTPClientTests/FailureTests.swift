import HTTPClient
import Support
import Testing
import Web

/// Not getting an answer has a kind and a sentence, never a made-up status.
@Suite(.timeLimit(.minutes(10))) struct FailureTests {
    private func client(_ change: (inout ClientConfiguration) -> Void = { _ in }) throws
        -> Transport
    {
        var configuration = ClientConfiguration()
        change(&configuration)
        return try Client(configuration).transport
    }

    /// What a GET of a server that replies so fails with.
    private func failure(
        of reply: ScriptedReply, timeout: Duration = .seconds(20),
        _ change: (inout ClientConfiguration) -> Void = { _ in }
    ) async throws -> TransportFailure? {
        let server = try ScriptedServer { _ in reply }
        defer { server.stop() }
        return try await client(change).get(server.url, timeout: timeout).failure
    }

    @Test func `nothing listening is a connection failure`() async throws {
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

    @Test func `a name nobody has is a name look-up failure`() async throws {
        let failure = try await client().get("https://no-host.invalid/").failure
        #expect(failure?.kind == .nameLookup)
        #expect(failure?.detail.contains("no-host.invalid") == true)
    }

    @Test(arguments: [
        ScriptedReply.close, .reset, .raw("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfour"),
        Self.half(then: .reset), Self.half(then: .close),
    ]) func `a lost connection is a connection failure`(reply: ScriptedReply) async throws {
        #expect(try await failure(of: reply)?.kind == .connection)
    }

    @Test(arguments: [
        "SSH-2.0-OpenSSH_9.2\r\n", "no http at all\r\n\r\n",
        "HTTP/1.1 abc\r\n\r\n", "\u{15}\u{3}\u{1}\0\u{2}\u{2}(",
        "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nx",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ]) func `what is no HTTP is an invalid answer`(text: String) async throws {
        #expect(try await failure(of: .raw(text))?.kind == .invalidResponse)
    }

    /// It is over at once: what follows is no HTTP, and may never end.
    @Test func `protocols switched unasked are an invalid answer`() async throws {
        let head =
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
            + "Connection: Upgrade\r\n\r\n"
        let failure = try await failure(of: ScriptedReply([.send(Array(head.utf8)), .waitForEver]))
        #expect(failure?.kind == .invalidResponse)
        #expect(failure?.detail.contains("101") == true)
    }

    @Test func `too many header fields are an invalid answer`() async throws {
        #expect(try await failure(of: .headers(300))?.kind == .invalidResponse)
        #expect(try await failure(of: .headers(200)) == nil)
    }

    @Test func `too large a header block is an invalid answer`() async throws {
        let value = String(repeating: "v", count: 4000)
        let reply = ScriptedReply.answer(200, headers: (0..<40).map { ("X-\($0)", value) })
        #expect(try await failure(of: reply)?.kind == .invalidResponse)
    }

    @Test func `one endless header field is an invalid answer`() async throws {
        let value = String(repeating: "v", count: 300_000)
        let failure = try await failure(of: .answer(200, headers: [("X", value)]))
        #expect(failure?.kind == .invalidResponse)
        #expect(failure?.detail.contains("emory") == false)
    }

    @Test func `header fields without end are an invalid answer`() async throws {
        let reply = ScriptedReply([
            .send(Array("HTTP/1.1 200 OK\r\n".utf8)), .sendForEver(Array("X: y\r\n".utf8)),
        ])
        #expect(try await failure(of: reply)?.kind == .invalidResponse)
    }

    @Test func `too large an answer is refused while it comes`() async throws {
        let failure = try await failure(of: .endless) { $0.responseLimit = 100_000 }
        #expect(failure?.kind == .tooLarge)
        #expect(failure?.detail.contains("100000 bytes") == true)
    }

    @Test func `an answer of exactly the limit is taken`() async throws {
        let body = String(repeating: "x", count: 1000)
        for (limit, kind) in [(1000, nil), (999, TransportFailure.Kind.tooLarge)] {
            let failure = try await failure(of: .answer(200, body)) { $0.responseLimit = limit }
            #expect(failure?.kind == kind)
        }
    }

    @Test func `too large a request does not leave`() async throws {
        let server = try ScriptedServer { _ in .answer(200) }
        defer { server.stop() }
        let body = String(repeating: "x", count: (1 << 20) + 1)
        let failure = try await client().post(server.url, body).failure
        #expect(failure?.kind == .requestTooLarge)
        #expect(server.connections == 0)
    }

    @Test func `no answer in time is a time-out`() async throws {
        // Twenty seconds later there would be one.
        let late = ScriptedReply.answer(200).delayed(by: .seconds(20))
        let failure = try await failure(of: late, timeout: .seconds(1))
        #expect(failure?.kind == .timeout)
        #expect(failure?.detail.contains("did not answer within 1000 ms") == true)
    }

    @Test func `an answer that stops half-way is a time-out`() async throws {
        let failure = try await failure(of: Self.half(then: .waitForEver), timeout: .seconds(1))
        #expect(failure?.kind == .timeout)
        #expect(failure?.detail.contains("did not finish") == true)
    }

    @Test func `a time-out tells what was sent and for how long`() async throws {
        let server = try ScriptedServer { _ in .silence }
        defer { server.stop() }
        let result = try await client().get(server.url, timeout: .seconds(1))
        #expect(result.sentHeaders["Host"] == "127.0.0.1:\(server.port)")
        // libcurl's clock and its timer may differ by a millisecond.
        #expect(result.timings.total > 990)
        #expect(result.timings.firstByte == nil)
    }

    @Test func `a cancelled task ends its transfer`() async throws {
        let server = try ScriptedServer { _ in .silence }
        defer { server.stop() }
        let transport = try client()
        let task = Task { await transport.get(server.url) }
        await server.received()
        task.cancel()
        #expect(await task.value.failure?.kind == .cancelled)
        await server.idle()
    }

    @Test func `a task cancelled before sends nothing`() async throws {
        let server = try ScriptedServer { _ in .answer(200) }
        defer { server.stop() }
        let transport = try client()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await transport.get(server.url)
        }
        #expect(await task.value.failure?.kind == .cancelled)
        _ = try await transport.get(server.url).answer()
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

    @Test func `more requests than the bound fail at once`() async throws {
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

    @Test func `a request that has ended leaves its place to the next`() async throws {
        let server = try ScriptedServer { _ in .answer(200) }
        defer { server.stop() }
        let transport = try client { $0.transferLimit = 1 }
        for _ in 0..<500 { #expect(await transport.get(server.url).failure == nil) }
    }

    /// Half of an answer.
    private static func half(then step: ScriptedReply.Step) -> ScriptedReply {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"
        return ScriptedReply([.send(Array(head.utf8)), step])
    }
}
