import Support
import Testing
import Web

/// HTTP semantics of requests and responses that the proxy relays.
@Suite(.timeLimit(.minutes(10))) struct ProxyTests {
    @Test func `a request's target, body and end-to-end headers reach the backend unchanged`()
        async throws
    {
        let proxy = try await ProxiedClient { _ in .answer(200) }
        let target = "/a%2Fb/%7Ex;y=1//z?q=%20a+b&&z=%zz&z"
        let response = try await proxy.send(
            "PATCH " + target,
            [
                "X-Own: one", "x-own: two", "Authorization: Bearer its-own",
                "Connection: keep-alive, X-Mine", "X-Mine: 1",
                "Keep-Alive: 5", "TE: trailers", "Upgrade: h2c",
                "X-Foyer-Key: \(proxy.foyer.key)", "Accept-Encoding: br",
            ], body: Array("{}".utf8))
        #expect(response.status == 200)
        let received = try #require(proxy.backend.requests.first)
        #expect(received.method == "PATCH")
        #expect(received.target == "/base" + target)
        #expect(received.text == "{}")
        #expect(
            received.headers.map { "\($0.name): \($0.value)" } == [
                "Host: 127.0.0.1:\(proxy.backend.port)", "X-Own: one",
                "x-own: two", "Authorization: Bearer its-own",
                "Content-Length: 2",
            ])
        #expect(await proxy.stop() == 0)
    }

    @Test func `a response's status, body and end-to-end headers are relayed unchanged`()
        async throws
    {
        let bytes = Array("\u{1F}\u{8B}not really".utf8)
        let proxy = try await ProxiedClient { _ in
            .bytes(
                Array(
                    """
                    HTTP/1.1 418 Teapot\r\nSet-Cookie: a=1; Path=/\r
                    Set-Cookie: b=2\r\nContent-Encoding: gzip\r
                    Date: Sat, 01 Jan 2000 00:00:00 GMT\r
                    Connection: X-Hop\r\nX-Hop: 1\r\nKeep-Alive: 9\r
                    Content-Length: \(bytes.count)\r\n\r\n
                    """.utf8) + bytes)
        }
        let response = try await proxy.send("GET /x")
        #expect(response.status == 418)
        #expect(response.body == bytes)
        let names = response.fields.map(\.[0])
        #expect(names.count { $0 == "Set-Cookie" } == 2)
        #expect(response["Date"] == "Sat, 01 Jan 2000 00:00:00 GMT")
        #expect(response["Content-Encoding"] == "gzip")
        #expect(response["X-Hop"] == nil)
        #expect(response["Keep-Alive"] == nil)
        #expect(response["Content-Security-Policy"] == nil)
        #expect(await proxy.stop() == 0)
    }

    @Test func `a response without a body is relayed without one`() async throws {
        let proxy = try await ProxiedClient { request in
            switch request.target {
            case "/base/204": .bytes(Array("HTTP/1.1 204 None\r\n\r\n".utf8))
            case "/base/304": .bytes(Array("HTTP/1.1 304 Same\r\nETag: \"x\"\r\n\r\n".utf8))
            default: .bytes(Array("HTTP/1.1 200 OK\r\nContent-Length: 1234\r\n\r\n".utf8))
            }
        }
        let head = try await proxy.send("HEAD /file")
        #expect(head.status == 200)
        #expect(head["Content-Length"] == "1234")
        #expect(proxy.backend.requests.last?.method == "HEAD")
        let noContent = try await proxy.send("DELETE /204")
        #expect(noContent.status == 204)
        let notModified = try await proxy.send("GET /304")
        #expect(notModified.status == 304)
        #expect(notModified["ETag"] == "\"x\"")
        #expect(notModified["Content-Length"] == nil)
        #expect(await proxy.stop() == 0)
    }

    @Test func `a redirect is relayed and not followed`() async throws {
        let proxy = try await ProxiedClient { request in
            let host = request.header("Host") ?? ""
            return .redirect(
                to: [
                    "/base/1": "http://\(host)/base/next?a=1",
                    "/base/2": "/base/next", "/base/3": "/elsewhere",
                    "/base/4": "https://example.com/base/next",
                    "/base/5": "next", "/base/6": "http://\(host)/basement",
                ][request.target] ?? "")
        }
        let proxyPath = "/proxy/main/mystica"
        let console = "http://127.0.0.1:\(proxy.foyer.port)"
        for (path, location) in [
            ("/1", console + proxyPath + "/next?a=1"), ("/2", proxyPath + "/next"),
            ("/3", proxy.backend.url + "/elsewhere"),
            ("/4", "https://example.com/base/next"), ("/5", "next"),
            ("/6", proxy.backend.url + "/basement"),
        ] {
            let response = try await proxy.send("GET " + path)
            #expect(response.status == 302)
            #expect(response["Location"] == location)
        }
        #expect(proxy.backend.requests.count == 6)
        #expect(await proxy.stop() == 0)
    }

    @Test func `an unreachable backend is a recorded 502`() async throws {
        let proxy = try await ProxiedClient { _ in .close }
        proxy.backend.stop()
        let response = try await proxy.send("GET /x")
        #expect(response.status == 502)
        #expect(response["X-Foyer-Error"] == "connection")
        #expect(response["Content-Type"] == "application/problem+json")
        let exchange = try await proxy.newestExchange()
        #expect(exchange["status"] == .null)
        #expect(exchange["failure"] != .null)
        #expect(exchange["id"]?.string == response["X-Foyer-Exchange"])
        #expect(await proxy.stop() == 0)
    }

    @Test func `the console's own address is refused as a base URL`() async throws {
        let proxy = try await ProxiedClient { _ in .answer(200) }
        let browser = try proxy.foyer.browser()
        for host in ["127.0.0.1", "localhost", "127.1", "[::1]"] {
            let response = try await browser.send(
                "PATCH", "/api/devices/\(proxy.device)/apps/mystica",
                json: ["backend": "local", "base": .string("http://\(host):\(proxy.foyer.port)")])
            #expect(response.status == 422)
        }
        #expect(await proxy.stop() == 0)
    }
}
