import Support
import Testing
import Web

/// The live event stream over real sockets.
@Suite(.timeLimit(.minutes(10))) struct StreamTests {
    private func listen(_ foyer: FoyerProcess, after: String? = nil, window: Int32? = nil)
        async throws -> RawClient
    {
        let listener = try RawClient(port: foyer.port, window: window)
        await listener.send(
            "GET /api/events\(after == "0" ? "?after=0" : "") HTTP/1.1\r\n"
                + "Host: 127.0.0.1:\(foyer.port)\r\n"
                + (after.map { "Last-Event-ID: \($0)\r\n" } ?? "")
                + "Authorization: Bearer \(foyer.key)\r\n\r\n")
        let head = await listener.text(until: "\r\n\r\n") ?? ""
        #expect(head.hasPrefix("HTTP/1.1 200"))
        #expect(head.contains("text/event-stream"))
        return listener
    }

    /// The ids of the events up to the first one that contains `text`.
    private func ids(_ listener: RawClient, until text: String) async -> [Int] {
        var ids: [Int] = []
        while let block = await listener.text(until: "\n\n") {
            // Chunks end with CRLF, which Swift reads as one character.
            for line in block.split(whereSeparator: \.isNewline) where line.hasPrefix("id:") {
                let number = line.dropFirst(3).drop { $0 == " " }
                if let id = Int(number) { ids.append(id) }
            }
            if block.contains(text) { return ids }
        }
        return ids
    }

    @Test func `a client that reconnects misses no event`() async throws {
        let foyer = try await FoyerProcess.start(in: TemporaryDirectory())
        let browser = try foyer.browser()
        let device = try await browser.makeDevice()
        let first = try await listen(foyer)
        _ = try await browser.register("one@example.com", device: device)
        let received = await ids(first, until: "verify")
        first.leave()

        // Another user registers while no client is connected.
        let other = try await browser.makeDevice()
        _ = try await browser.register("two@example.com", device: other)
        let last = try #require(received.last)
        let second = try await listen(foyer, after: "\(last)")
        let third = try await browser.makeDevice()
        _ = try await browser.register("three@example.com", device: third)
        let missed = await ids(second, until: third)
        #expect(!missed.isEmpty)
        #expect(missed == missed.sorted())
        #expect(Set(missed).count == missed.count)
        #expect(missed.allSatisfy { $0 > last })

        // Compared with all events since the start.
        let all = try await listen(foyer, after: "0")
        let allIDs = await ids(all, until: third)
        #expect(allIDs.filter { $0 > last }.starts(with: missed))
        #expect(await foyer.stop() == 0)
    }

    @Test func `a client that never reads does not affect the others`() async throws {
        let foyer = try await FoyerProcess.start(in: TemporaryDirectory())
        let browser = try foyer.browser()
        var idleClients: [RawClient] = []
        for _ in 0..<10 {
            let listener = try RawClient(port: foyer.port, window: 2_048)
            await listener.send(
                "GET /api/events?after=0 HTTP/1.1\r\nHost: 127.0.0.1:\(foyer.port)\r\n"
                    + "Authorization: Bearer \(foyer.key)\r\n\r\n")
            idleClients.append(listener)
        }
        let listener = try await listen(foyer)
        var device = ""
        for _ in 0..<300 {
            device = try await browser.makeDevice()
            _ = try await browser.send(
                "POST", "/apps/mystica/splash/launch", device: device, form: [])
        }
        // A client that reads has received all events meanwhile.
        #expect(await !ids(listener, until: device).isEmpty)
        #expect(await foyer.stop() == 0)
        for client in idleClients { client.leave() }
    }
}
