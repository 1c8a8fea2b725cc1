import Support
import Testing
import Web

/// Bodies that pass through as they come.
///
/// How much of them is held meanwhile is counted where they are held: see
/// `UploadTests` and `OpeningTests`.
@Suite(.timeLimit(.minutes(10))) struct ProxyStreamTests {
    private static let large = 32 << 20

    @Test func `a large upload arrives whole`() async throws {
        let passage = try await ProxiedClient { _ in .answer(200, "{}") }
        let body = (0..<Self.large).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let answer = try await passage.ask("PUT /file", body: body)
        #expect(answer.status == 200)
        #expect(passage.backend.requests.first?.body == body)
        let kept = try await passage.recorded()
        #expect(kept["requestBytes"] == .int(Int64(Self.large)))
        #expect(await passage.end() == 0)
    }

    @Test func `an upload in chunks arrives in chunks`() async throws {
        let passage = try await ProxiedClient { _ in .answer(200, "{}") }
        let client = try passage.client()
        await client.send(passage.head("POST /file", ["Transfer-Encoding: chunked"]))
        for _ in 0..<100 {
            await client.send("1000\r\n")
            await client.send([UInt8](repeating: 0x61, count: 4096))
            await client.send("\r\n")
        }
        await client.send("0\r\n\r\n")
        #expect(try await client.answer().status == 200)
        let got = try #require(passage.backend.requests.first)
        #expect(got.body.count == 409_600)
        #expect(got.header("Transfer-Encoding") == "chunked")
        #expect(got.header("Content-Length") == nil)
        #expect(await passage.end() == 0)
    }

    @Test func `a large answer comes whole`() async throws {
        let piece = [UInt8](repeating: 0x62, count: 1 << 20)
        let passage = try await ProxiedClient { _ in
            ScriptedReply(
                [
                    .send(
                        Array(
                            """
                            HTTP/1.1 200 OK\r
                            Content-Length: \(Self.large)\r\n\r\n
                            """.utf8))
                ] + (0..<(Self.large >> 20)).map { _ in .send(piece) })
        }
        let answer = try await passage.ask("GET /file")
        #expect(answer.body.count == Self.large)
        #expect(answer["Content-Length"] == "\(Self.large)")
        #expect(await passage.end() == 0)
    }

    @Test func `an answer that breaks off does not look whole`() async throws {
        let passage = try await ProxiedClient { request in
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
            let client = try passage.client()
            await client.send(passage.head("GET " + path))
            let all = await client.all()
            #expect(all.contains("half"))
            #expect(!all.contains("\r\n0\r\n"))
            let kept = try await passage.recorded()
            #expect(kept["failure"] != .null)
        }
        #expect(await passage.end() == 0)
    }

    @Test func `a stream flows at once, and ends with its client`() async throws {
        let passage = try await ProxiedClient { _ in
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
        let client = try passage.client()
        await client.send(passage.head("GET /events"))
        #expect(await client.text(until: "data: one\n\n") != nil)
        client.leave()
        await passage.backend.idle()
        #expect(await passage.end() == 0)
    }

    @Test func `a client that leaves before the answer ends the call`() async throws {
        let passage = try await ProxiedClient { _ in .silence }
        let client = try passage.client()
        await client.send(passage.head("GET /slow"))
        await passage.backend.received()
        client.leave()
        await passage.backend.idle()
        #expect(await passage.end() == 0)
    }

    @Test func `a client that leaves in the middle of its upload ends the call`() async throws {
        let passage = try await ProxiedClient { _ in .answer(200) }
        let client = try passage.client()
        await client.send(passage.head("POST /file", ["Content-Length: 1000000"]))
        await client.send([UInt8](repeating: 0x61, count: 300_000))
        client.leave()
        while try await passage.recorded()["failure"] == nil {}
        await passage.backend.idle()
        #expect(passage.backend.requests.isEmpty)
        #expect(await passage.end() == 0)
    }
}
