import Support
import Testing
import Web

/// Proxied requests over real sockets, paused, edited and answered by rules.
@Suite(.timeLimit(.minutes(10))) struct RulesJourneyTests {
    private func add(_ proxy: ProxiedClient, _ rule: JSON) async throws -> String {
        let added = try await proxy.foyer.browser().json("POST", "/api/rules", json: rule)
        return try #require(added["id"]?.string)
    }

    /// The next paused exchange.
    private func paused(_ proxy: ProxiedClient) async throws -> String {
        let paused = try await proxy.foyer.browser().json(
            "GET", "/api/intercepted/wait?timeout=60")
        return try #require(paused["exchange"]?.string)
    }

    /// Continues or aborts a paused exchange.
    private func decide(_ proxy: ProxiedClient, _ id: String, _ act: String, _ edit: JSON = [:])
        async throws
    {
        let response = try await proxy.foyer.browser().send(
            "POST", "/api/intercepted/\(id)/\(act)", json: edit)
        #expect(response.status == 204, "\(response.text)")
    }

    @Test func `a paused request reaches the backend only as it was edited`() async throws {
        let proxy = try await ProxiedClient { _ in .answer(200) }
        _ = try await add(proxy, ["kind": "pauseRequest", "path": "/cart"])
        async let response = proxy.send(
            "POST /cart", ["Content-Type: application/json"], body: Array(#"{"n":1}"#.utf8))
        let id = try await paused(proxy)
        #expect(proxy.backend.requests.isEmpty)
        try await decide(
            proxy, id, "continue",
            [
                "method": "PUT", "path": "/cart/2?x=1", "body": #"{"n":2}"#,
                "headers": [["name": "X-Edited", "value": "yes"]],
            ])
        #expect(try await response.status == 200)
        let received = try #require(proxy.backend.requests.first)
        #expect(received.method == "PUT" && received.target == "/base/cart/2?x=1")
        #expect(received.text == #"{"n":2}"# && received.header("X-Edited") == "yes")
        #expect(received.header("Content-Type") == nil && received.header("Content-Length") == "7")
        #expect(await proxy.stop() == 0)
    }

    @Test func `an aborted request closes its client's connection`() async throws {
        let proxy = try await ProxiedClient { _ in .answer(200) }
        _ = try await add(proxy, ["kind": "pauseRequest"])
        let client = try proxy.client()
        await client.send(proxy.head("GET /a"))
        try await decide(proxy, try await paused(proxy), "abort")
        await #expect(throws: RawClient.Failure.closed) { try await client.answer() }
        #expect(proxy.backend.requests.isEmpty)
        #expect(await proxy.stop() == 0)
    }

    @Test func `a client that disconnects ends its pause`() async throws {
        let proxy = try await ProxiedClient { _ in .answer(200) }
        _ = try await add(proxy, ["kind": "pauseRequest", "timeout": 300])
        do {
            let client = try proxy.client()
            await client.send(proxy.head("GET /a"))
            _ = try await paused(proxy)
        }
        let browser = try proxy.foyer.browser()
        #expect(
            try await eventually {
                try await browser.json("GET", "/api/intercepted")["total"] == 0
            })
        #expect(try await proxy.newestExchange()["rules"]?[0]?["outcome"] == "disconnected")
        #expect(proxy.backend.requests.isEmpty)
        #expect(await proxy.stop() == 0)
    }

    @Test func `a stop lets go of what is paused`() async throws {
        let proxy = try await ProxiedClient { _ in .answer(200) }
        _ = try await add(proxy, ["kind": "pauseRequest", "timeout": 300])
        let client = try proxy.client()
        await client.send(proxy.head("GET /a"))
        _ = try await paused(proxy)
        #expect(await proxy.foyer.stop() == 0)
        #expect(try await client.answer().status == 200)
        #expect(proxy.backend.requests.count == 1)
        proxy.backend.stop()
    }

    @Test func `a long upload is paused without its body and arrives complete`() async throws {
        let proxy = try await ProxiedClient { _ in .answer(200) }
        _ = try await add(proxy, ["kind": "pauseRequest"])
        let body = Array(repeating: UInt8(ascii: "a"), count: 200_000)
        async let response = proxy.send("PUT /file", body: body)
        let id = try await paused(proxy)
        let browser = try proxy.foyer.browser()
        let listed = try await browser.json("GET", "/api/intercepted")["items"]?[0]
        #expect(listed?["request"]?["body"] == .null)
        #expect(listed?["request"]?["bodyNote"]?.string?.contains("passes unchanged") == true)
        try await decide(proxy, id, "continue", ["path": "/other"])
        #expect(try await response.status == 200)
        let received = try #require(proxy.backend.requests.first)
        #expect(received.target == "/base/other" && received.body.count == body.count)
        #expect(await proxy.stop() == 0)
    }

    @Test func `a paused response arrives as edited, and one that is too long unchanged`()
        async throws
    {
        let long = Array(repeating: UInt8(ascii: "b"), count: 1_500_000)
        let proxy = try await ProxiedClient { request in
            request.target == "/base/long"
                ? .bytes(
                    Array("HTTP/1.1 200 OK\r\nContent-Length: \(long.count)\r\n\r\n".utf8) + long)
                : .bytes(Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8))
        }
        _ = try await add(proxy, ["kind": "pauseResponse"])
        async let edited = proxy.send("GET /short")
        try await decide(
            proxy, try await paused(proxy), "continue", ["status": 404, "body": "gone"])
        let response = try await edited
        #expect(response.status == 404 && response.text == "gone")
        #expect(response["Content-Length"] == "4")
        async let unchanged = proxy.send("GET /long")
        try await decide(proxy, try await paused(proxy), "continue", ["status": 201])
        #expect(try await unchanged.status == 201)
        #expect(try await unchanged.body == long)
        #expect(await proxy.stop() == 0)
    }

    @Test func `a mapped response is received instead of the backend's`() async throws {
        let proxy = try await ProxiedClient { _ in .answer(200) }
        let rule = try await add(
            proxy,
            [
                "kind": "respond", "path": "/flags*",
                "response": ["status": 203, "body": #"{"beta":true}"#],
            ])
        let response = try await proxy.send("GET /flags?x=1")
        #expect(response.status == 203 && response.text == #"{"beta":true}"#)
        #expect(response["Content-Type"] == "application/json")
        #expect(response["Content-Length"] == "13" && response["X-Foyer-Rule"] == rule)
        #expect(proxy.backend.requests.isEmpty)
        let other = try await proxy.send("GET /other")
        #expect(other.status == 200 && proxy.backend.requests.count == 1)
        #expect(await proxy.stop() == 0)
    }
}
