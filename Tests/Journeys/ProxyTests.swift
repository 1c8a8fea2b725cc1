import Support
import Testing
import Web

/// HTTP as it was meant, through the console and back.
@Suite(.timeLimit(.minutes(10))) struct ProxyTests {
    @Test func `what an app sends arrives as it was sent`() async throws {
        let passage = try await ProxiedClient { _ in .answer(200) }
        let target = "/a%2Fb/%7Ex;y=1//z?q=%20a+b&&z=%zz&z"
        let answer = try await passage.ask(
            "PATCH " + target,
            [
                "X-Own: one", "x-own: two", "Authorization: Bearer its-own",
                "Connection: keep-alive, X-Mine", "X-Mine: 1",
                "Keep-Alive: 5", "TE: trailers", "Upgrade: h2c",
                "X-Foyer-Key: \(passage.foyer.key)", "Accept-Encoding: br",
            ], body: Array("{}".utf8))
        #expect(answer.status == 200)
        let got = try #require(passage.backend.requests.first)
        #expect(got.method == "PATCH")
        #expect(got.target == "/base" + target)
        #expect(got.text == "{}")
        #expect(
            got.headers.map { "\($0.name): \($0.value)" } == [
                "Host: 127.0.0.1:\(passage.backend.port)", "X-Own: one",
                "x-own: two", "Authorization: Bearer its-own",
                "Content-Length: 2",
            ])
        #expect(await passage.end() == 0)
    }

    @Test func `what a backend answers comes back as it was sent`() async throws {
        let bytes = Array("\u{1F}\u{8B}not really".utf8)
        let passage = try await ProxiedClient { _ in
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
        let answer = try await passage.ask("GET /x")
        #expect(answer.status == 418)
        #expect(answer.body == bytes)
        let names = answer.fields.map(\.[0])
        #expect(names.count { $0 == "Set-Cookie" } == 2)
        #expect(answer["Date"] == "Sat, 01 Jan 2000 00:00:00 GMT")
        #expect(answer["Content-Encoding"] == "gzip")
        #expect(answer["X-Hop"] == nil)
        #expect(answer["Keep-Alive"] == nil)
        #expect(answer["Content-Security-Policy"] == nil)
        #expect(await passage.end() == 0)
    }

    @Test func `what has no body gets none`() async throws {
        let passage = try await ProxiedClient { request in
            switch request.target {
            case "/base/204": .bytes(Array("HTTP/1.1 204 None\r\n\r\n".utf8))
            case "/base/304": .bytes(Array("HTTP/1.1 304 Same\r\nETag: \"x\"\r\n\r\n".utf8))
            default: .bytes(Array("HTTP/1.1 200 OK\r\nContent-Length: 1234\r\n\r\n".utf8))
            }
        }
        let head = try await passage.ask("HEAD /file")
        #expect(head.status == 200)
        #expect(head["Content-Length"] == "1234")
        #expect(passage.backend.requests.last?.method == "HEAD")
        let none = try await passage.ask("DELETE /204")
        #expect(none.status == 204)
        let same = try await passage.ask("GET /304")
        #expect(same.status == 304)
        #expect(same["ETag"] == "\"x\"")
        #expect(same["Content-Length"] == nil)
        #expect(await passage.end() == 0)
    }

    @Test func `a redirect is handed on and not followed`() async throws {
        let passage = try await ProxiedClient { request in
            let host = request.header("Host") ?? ""
            return .redirect(
                to: [
                    "/base/1": "http://\(host)/base/next?a=1",
                    "/base/2": "/base/next", "/base/3": "/elsewhere",
                    "/base/4": "https://example.com/base/next",
                    "/base/5": "next", "/base/6": "http://\(host)/basement",
                ][request.target] ?? "")
        }
        let here = "/through/main/mystica"
        let us = "http://127.0.0.1:\(passage.foyer.port)"
        for (path, location) in [
            ("/1", us + here + "/next?a=1"), ("/2", here + "/next"),
            ("/3", passage.backend.url + "/elsewhere"),
            ("/4", "https://example.com/base/next"), ("/5", "next"),
            ("/6", passage.backend.url + "/basement"),
        ] {
            let answer = try await passage.ask("GET " + path)
            #expect(answer.status == 302)
            #expect(answer["Location"] == location)
        }
        #expect(passage.backend.requests.count == 6)
        #expect(await passage.end() == 0)
    }

    @Test func `a backend that is not there is told of and recorded`() async throws {
        let passage = try await ProxiedClient { _ in .close }
        passage.backend.stop()
        let answer = try await passage.ask("GET /x")
        #expect(answer.status == 502)
        #expect(answer["X-Foyer-Error"] == "connection")
        #expect(answer["Content-Type"] == "application/problem+json")
        let kept = try await passage.recorded()
        #expect(kept["status"] == .null)
        #expect(kept["failure"] != .null)
        #expect(kept["id"]?.string == answer["X-Foyer-Exchange"])
        #expect(await passage.end() == 0)
    }

    @Test func `it never leads to the console itself`() async throws {
        let passage = try await ProxiedClient { _ in .answer(200) }
        let browser = try passage.foyer.visitor()
        for host in ["127.0.0.1", "localhost", "127.1", "[::1]"] {
            let answer = try await browser.send(
                "PATCH", "/api/devices/\(passage.device)/apps/mystica",
                json: ["backend": "local", "base": .string("http://\(host):\(passage.foyer.port)")])
            #expect(answer.status == 422)
        }
        #expect(await passage.end() == 0)
    }
}
