import Support
import Testing
import Web

/// The access guard on every route, over real sockets.
@Suite(.timeLimit(.minutes(10))) struct GuardOverSocketsTests {
    /// Sends a request exactly as written, over a new connection.
    static func raw(
        _ foyer: FoyerProcess, _ line: String, host: String? = nil, _ headers: [String] = [],
        body: String = ""
    ) async throws -> RawResponse {
        let client = try RawClient(port: foyer.port)
        var head = "\(line) HTTP/1.1\r\n"
        head += "Host: \(host ?? "127.0.0.1:\(foyer.port)")\r\n"
        for header in headers { head += header + "\r\n" }
        if !body.isEmpty { head += "Content-Length: \(body.utf8.count)\r\n" }
        await client.send(head + "\r\n" + body)
        return try await client.answer()
    }

    private static let pages = [
        "GET /", "GET /apps/mystica/", "GET /apps/mystica/login",
        "POST /apps/mystica/login/submit", "POST /apps/mystica/login/check",
        "POST /apps/mystica/splash/launch", "GET /studio/mystica",
        "GET /sessions", "GET /sessions/ses_1", "GET /traffic",
        "GET /traffic/exc_1", "GET /mailbox", "GET /mailbox/mail_1",
        "POST /studio/mystica/relaunch", "POST /studio/mystica/kill",
        "POST /studio/mystica/expire", "POST /studio/mystica/clear",
        "POST /studio/mystica/backend", "POST /mailbox/clear",
        "POST /traffic/clear", "GET /api/search?q=x",
    ]

    /// Every operation the API describes, with its parameters filled in.
    private func operations(_ foyer: FoyerProcess) async throws -> [String] {
        let document = try await foyer.browser().json("GET", "/api/openapi.json")
        guard case .object(let paths)? = document["paths"] else { return [] }
        return paths.flatMap { path -> [String] in
            guard case .object(let methods) = path.value else { return [] }
            let filled = path.name.split(separator: "/", omittingEmptySubsequences: false).map {
                $0.hasPrefix("{") ? "x" : String($0)
            }.joined(separator: "/")
            return methods.map { "\($0.name.uppercased()) \(filled)" }
        }
    }

    @Test func `every route except the health check needs the key`() async throws {
        let foyer = try await FoyerProcess.start(in: TemporaryDirectory())
        let described = try await operations(foyer)
        #expect(described.count >= 25)
        for line in described + Self.pages where line != "GET /health" {
            for headers in [
                [], ["Authorization: Bearer wrong-wrong-wrong-wrong"],
                ["Cookie: foyer_key_\(foyer.port)=guessed"],
            ] {
                // Wrong keys are throttled, so one such request is enough.
                if headers.first?.hasPrefix("Auth") == true, line != described.first { continue }
                let response = try await Self.raw(foyer, line, headers)
                #expect(
                    [401, 403].contains(response.status), "\(line) \(headers): \(response.status)")
            }
        }
        let health = try await Self.raw(foyer, "GET /health")
        #expect(health.status == 200)
        #expect(await foyer.stop() == 0)
    }

    @Test func `a large body is accepted only with the key`() async throws {
        let foyer = try await FoyerProcess.start(in: TemporaryDirectory())
        let large = ["Content-Length: 33554431"]
        for path in ["/traffic/import", "/api/exchanges/import"] {
            let response = try await Self.raw(foyer, "POST \(path)", large)
            #expect(response.status == 401)
        }
        let bearer = "Authorization: Bearer \(foyer.key)"
        let client = try RawClient(port: foyer.port)
        await client.send(
            "POST /api/exchanges/import HTTP/1.1\r\n"
                + "Host: 127.0.0.1:\(foyer.port)\r\n\(bearer)\r\n"
                + "Content-Type: application/json\r\nContent-Length: 2000000\r\n\r\n")
        await client.send([UInt8](repeating: 0x20, count: 2_000_000))
        #expect(try await client.answer().status == 400)
    }

    @Test func `a request for another host name is refused first`() async throws {
        let foyer = try await FoyerProcess.start(in: TemporaryDirectory())
        let key = ["Authorization: Bearer \(foyer.key)"]
        for host in [
            "evil.example", "evil.example:\(foyer.port)", "127.0.0.1",
            "127.0.0.1:1", "localhost.evil.example:\(foyer.port)", "",
            "[", "127.0.0.1:\(foyer.port):\(foyer.port)", "@",
            "127.0.0.1:\(foyer.port)@evil.example",
        ] {
            for line in ["GET /", "GET /health", "POST /api/reset"] {
                let response = try await Self.raw(foyer, line, host: host, key)
                #expect(
                    [400, 421].contains(response.status), "\(line) for \(host): \(response.status)")
            }
        }
        #expect(await foyer.stop() == 0)
    }

    @Test func `another site cannot use the session cookie`() async throws {
        let foyer = try await FoyerProcess.start(in: TemporaryDirectory())
        let login = try await Self.raw(foyer, "GET /?key=\(foyer.key)", ["Sec-Fetch-Site: none"])
        #expect(login.status == 303)
        #expect(login["Location"] == "/")
        let cookie = login["Set-Cookie"] ?? ""
        #expect(cookie.contains("HttpOnly"))
        #expect(cookie.contains("SameSite=Strict"))
        let cookieHeader = "Cookie: \(cookie.prefix { $0 != ";" })"
        let form = "Content-Type: application/x-www-form-urlencoded"

        for site in ["cross-site", "same-site", "none", ""] {
            let fetched = site.isEmpty ? [] : ["Sec-Fetch-Site: \(site)"]
            let response = try await Self.raw(
                foyer, "POST /studio/mystica/clear", [cookieHeader, form] + fetched, body: "csrf=x"
            )
            #expect(response.status == 403, "\(site)")
        }
        // From the console's own page, but with a missing or wrong form token.
        for body in ["a=b", "csrf=", "csrf=wrong", "csrf=a&csrf=b"] {
            let response = try await Self.raw(
                foyer, "POST /studio/mystica/clear",
                [cookieHeader, form, "Sec-Fetch-Site: same-origin"],
                body: body)
            #expect(response.status == 403, "\(body)")
        }
        // A page of another origin may not read either.
        let sameSite = try await Self.raw(
            foyer, "GET /sessions", [cookieHeader, "Sec-Fetch-Site: same-site"])
        #expect(sameSite.status == 403)
        #expect(sameSite["Access-Control-Allow-Origin"] == nil)
        let sameOrigin = try await Self.raw(
            foyer, "GET /sessions", [cookieHeader, "Sec-Fetch-Site: same-origin"])
        #expect(sameOrigin.status == 200)
        #expect(await foyer.stop() == 0)
    }

    @Test func `every response has the security headers and is not cached`() async throws {
        let foyer = try await FoyerProcess.start(in: TemporaryDirectory())
        for path in ["/", "/sessions", "/nowhere", "/api/apps", "/api/nothing"] {
            let response = try await foyer.browser().send("GET", path)
            let policy = response["Content-Security-Policy"] ?? ""
            #expect(policy.contains("default-src 'none'"), "\(path)")
            #expect(!policy.contains("unsafe"), "\(path)")
            #expect(policy.contains("frame-ancestors 'self'"), "\(path)")
            #expect(response["X-Content-Type-Options"] == "nosniff")
            #expect(response["Referrer-Policy"] == "no-referrer")
            #expect(response["Cache-Control"] == "no-store", "\(path)")
        }
        #expect(await foyer.stop() == 0)
    }
}
