import Support
import Testing
import Web

/// Bodies that the proxy relays as they arrive.
///
/// How much of a body is buffered is tested where the buffers are: see `UploadBufferTests` and
/// `StreamOpeningTests`.
@Suite(.timeLimit(.minutes(10))) struct ProxyStreamTests {
    private static let large = 32 << 20

    @Test func `a large upload arrives completely`() async throws {
        let proxy = try await ProxiedClient { _ in .answer(200, "{}") }
        let body = (0..<Self.large).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let response = try await proxy.send("PUT /file", body: body)
        #expect(response.status == 200)
        #expect(proxy.backend.requests.first?.body == body)
        let exchange = try await proxy.newestExchange()
        #expect(exchange["requestBytes"] == .int(Int64(Self.large)))
        #expect(await proxy.stop() == 0)
    }

    @Test func `a chunked upload is forwarded as chunked`() async throws {
        let proxy = try await ProxiedClient { _ in .answer(200, "{}") }
        let client = try proxy.client()
        await client.send(proxy.head("POST /file", ["Transfer-Encoding: chunked"]))
        for _ in 0..<100 {
            await client.send("1000\r\n")
            await client.send([UInt8](repeating: 0x61, count: 4096))
            await client.send("\r\n")
        }
        await client.send("0\r\n\r\n")
        #expect(try await client.answer().status == 200)
        let received = try #require(proxy.backend.requests.first)
        #expect(received.body.count == 409_600)
        #expect(received.header("Transfer-Encoding") == "chunked")
        #expect(received.header("Content-Length") == nil)
        #expect(await proxy.stop() == 0)
    }

    @Test func `a large response arrives completely`() async throws {
        let chunk = [UInt8](repeating: 0x62, count: 1 << 20)
        let proxy = try await ProxiedClient { _ in
            ScriptedReply(
                [
                    .send(
                        Array(
                            """
                            HTTP/1.1 200 OK\r
                            Content-Length: \(Self.large)\r\n\r\n
                            """.utf8))
                ] + (0..<(Self.large >> 20)).map { _ in .send(chunk) })
        }
        let response = try await proxy.send("GET /file")
        #expect(response.body.count == Self.large)
        #expect(response["Content-Length"] == "\(Self.large)")
        #expect(await proxy.stop() == 0)
    }

    @Test func `a truncated response is not relayed as complete`() async throws {
        let proxy = try await ProxiedClient { request in
            let framing =
                request.target == "/base/chunks"
                ? "Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n"
                : "Content-Length: 1000\r\n\r\nhalf"
            return ScriptedReply([
                .send(Array("HTTP/1.1 200 OK\r\n\(framing)".utf8)), .wait(.milliseconds(50)),
                .close,
            ])
        }
        for path in ["/chunks", "/length"] {
            let client = try proxy.client()
            await client.send(proxy.head("GET " + path))
            let text = await client.all()
            #expect(text.contains("half"))
            #expect(!text.contains("\r\n0\r\n"))
            let exchange = try await proxy.newestExchange()
            #expect(exchange["failure"] != .null)
        }
        #expect(await proxy.stop() == 0)
    }

    @Test func `a stream is relayed immediately and closed when its client disconnects`()
        async throws
    {
        let proxy = try await ProxiedClient { _ in
            ScriptedReply([
                .send(
                    Array(
                        """
                        HTTP/1.1 200 OK\r
                        Content-Type: text/event-stream\r\n\r
                        data: one\n\n
                        """.utf8)), .waitForEver,
            ])
        }
        let client = try proxy.client()
        await client.send(proxy.head("GET /events"))
        #expect(await client.text(until: "data: one\n\n") != nil)
        client.leave()
        await proxy.backend.idle()
        #expect(await proxy.stop() == 0)
    }

    @Test func `a client that disconnects before the response ends the call`() async throws {
        let proxy = try await ProxiedClient { _ in .silence }
        let client = try proxy.client()
        await client.send(proxy.head("GET /slow"))
        await proxy.backend.received()
        client.leave()
        await proxy.backend.idle()
        #expect(await proxy.stop() == 0)
    }

    @Test func `a client that disconnects during its upload ends the call`() async throws {
        let proxy = try await ProxiedClient { _ in .answer(200) }
        let client = try proxy.client()
        await client.send(proxy.head("POST /file", ["Content-Length: 1000000"]))
        await client.send([UInt8](repeating: 0x61, count: 300_000))
        client.leave()
        while try await proxy.newestExchange()["failure"] == nil {}
        await proxy.backend.idle()
        #expect(proxy.backend.requests.isEmpty)
        #expect(await proxy.stop() == 0)
    }
}
