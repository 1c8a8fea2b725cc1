import Support
import Testing
import Web

/// Malicious requests: each gets a response, and the process keeps running.
@Suite(.timeLimit(.minutes(10))) struct HostileRequestTests {
    private func expectAlive(_ foyer: FoyerProcess) async throws {
        let response = try await foyer.browser().send("GET", "/health")
        #expect(response.status == 200)
        #expect(await foyer.stop() == 0)
    }

    @Test func `no path leads outside the public folder`() async throws {
        let foyer = try await FoyerProcess.start(in: TemporaryDirectory())
        let targets = [
            "../Package.swift", "..%2fPackage.swift", "%2e%2e/Package.swift",
            "%2e%2e%2fPackage.swift", "%252e%252e%252fPackage.swift",
            "..%5cPackage.swift", "..\\Package.swift", ".%2e/Package.swift",
            "....//Package.swift", "/etc/passwd", "%2fetc%2fpasswd",
            "..%c0%afPackage.swift", "console/../../Package.swift",
            "%00", "screen.css%00.txt", "..;/Package.swift", ".git/config",
            "./../Package.swift", "..%u2215Package.swift",
        ]
        for prefix in ["/assets/", "/assets/apps/", "/apps/", "/"] {
            for target in targets {
                let response = try await GuardOverSocketsTests.raw(
                    foyer, "GET \(prefix)\(target)", ["Authorization: Bearer \(foyer.key)"])
                #expect(
                    [400, 404].contains(response.status), "\(prefix)\(target): \(response.status)")
                #expect(!response.text.contains("swift-tools-version"))
                #expect(!response.text.contains("root:"))
            }
        }
        // An encoded path does not bypass the access guard.
        for path in ["/%61pi/devices", "/api/%64evices", "//api/devices"] {
            let response = try await GuardOverSocketsTests.raw(foyer, "GET \(path)")
            #expect([400, 401, 403, 404].contains(response.status), "\(path)")
        }
        try await expectAlive(foyer)
    }

    @Test func `an oversized request is refused`() async throws {
        let foyer = try await FoyerProcess.start(in: TemporaryDirectory())
        let key = "Authorization: Bearer \(foyer.key)"
        let long = String(repeating: "a", count: 100 << 10)
        let header = try await GuardOverSocketsTests.raw(
            foyer, "GET /sessions", [key, "X-Long: \(long)"])
        #expect([400, 413, 431].contains(header.status))
        let line = try await GuardOverSocketsTests.raw(foyer, "GET /?q=\(long)", [key])
        #expect([400, 413, 414, 431].contains(line.status))
        let many = try await GuardOverSocketsTests.raw(
            foyer, "GET /sessions", [key] + (0..<2_000).map { "X-\($0): 1" })
        #expect([400, 413, 431].contains(many.status))

        // A gigabyte announced is refused before a byte of it is waited for.
        let client = try RawClient(port: foyer.port)
        await client.send(
            "POST /api/devices HTTP/1.1\r\nHost: 127.0.0.1:\(foyer.port)\r\n"
                + "\(key)\r\nContent-Type: application/json\r\n"
                + "Content-Length: 1073741824\r\n\r\n{")
        let declared = try await client.answer()
        #expect(declared.status == 413)

        let deep = String(repeating: "[", count: 100_000)
        let nested = try await GuardOverSocketsTests.raw(
            foyer, "POST /api/devices", [key, "Content-Type: application/json"], body: deep)
        #expect([400, 413].contains(nested.status))
        try await expectAlive(foyer)
    }

    @Test func `clients that never finish their requests do not delay others`() async throws {
        let foyer = try await FoyerProcess.start(in: TemporaryDirectory())
        var incomplete: [RawClient] = []
        for number in 0..<300 {
            let client = try RawClient(port: foyer.port)
            switch number % 3 {
            case 0: break
            case 1: await client.send("GET / HTTP/1.1\r\nHost: 127.")
            default:
                await client.send(
                    "POST /api/devices HTTP/1.1\r\nHost: 127.0.0.1:\(foyer.port)\r\n"
                        + "Authorization: Bearer \(foyer.key)\r\nContent-Length: 100\r\n\r\n{")
            }
            incomplete.append(client)
        }
        for _ in 0..<20 {
            let response = try await foyer.browser().send("GET", "/api/apps")
            #expect(response.status == 200)
        }
        for client in incomplete { client.leave() }
        try await expectAlive(foyer)
    }

    @Test func `ambiguous messages are refused`() async throws {
        let foyer = try await FoyerProcess.start(in: TemporaryDirectory())
        let host = "Host: 127.0.0.1:\(foyer.port)"
        let key = "Authorization: Bearer \(foyer.key)"
        let heads = [
            "GET / HTTP/1.1\r\n\(key)", "GET / HTTP/1.1\r\n\(host)\r\n\(host)\r\n\(key)",
            "GET http://evil.example/ HTTP/1.1\r\n\(host)\r\n\(key)",
            "POST /api/reset HTTP/1.1\r\n\(host)\r\n\(key)\r\n"
                + "Content-Length: 0\r\nContent-Length: 5",
            "POST /api/reset HTTP/1.1\r\n\(host)\r\n\(key)\r\n"
                + "Transfer-Encoding: chunked\r\nContent-Length: 5",
            "POST /api/reset HTTP/1.1\r\n\(host)\r\n\(key)\r\nTransfer-Encoding: xchunked",
            "GET / HTTP/9.9\r\n\(host)\r\n\(key)", "GE\u{0}T / HTTP/1.1\r\n\(host)\r\n\(key)",
            "nonsense",
        ]
        for head in heads {
            let client = try RawClient(port: foyer.port)
            await client.send(head + "\r\n\r\n")
            let response = try? await client.answer()
            // The connection may close without a response; a response is a client error.
            if let response { #expect(response.status >= 400 && response.status != 500, "\(head)") }
        }
        try await expectAlive(foyer)
    }

    @Test func `bytes that are not text cause no server error in any field`() async throws {
        let foyer = try await FoyerProcess.start(in: TemporaryDirectory())
        let browser = try foyer.browser()
        let device = try await browser.makeDevice()
        _ = try await browser.send("POST", "/apps/mystica/splash/launch", device: device, form: [])
        let form = "Content-Type: application/x-www-form-urlencoded"
        let headers = ["Authorization: Bearer \(foyer.key)", "X-Foyer-Device: \(device)"]
        for bad in ["%00", "a%00b", "%ff", "%c3%28", "%ed%a0%80", "%zz", "%"] {
            for body in [
                "email=\(bad)&password=\(TestBrowser.passwordPrefix)",
                "email=a@b.c&password=\(bad)",
                "\(bad)=x",
                bad,
            ] {
                let response = try await GuardOverSocketsTests.raw(
                    foyer, "POST /apps/mystica/login/submit", headers + [form], body: body)
                #expect(
                    response.status == 303 || (400..<500).contains(response.status),
                    "\(body): \(response.status)")
            }
            let path = try await GuardOverSocketsTests.raw(foyer, "GET /sessions?q=\(bad)", headers)
            #expect([200, 400].contains(path.status), "\(bad)")
        }
        for bad in [
            "", "{", "[]", "null", "{\"label\":1}", "\u{0}",
            "{\"label\":\"\\u0000\"}", "{\"label\":\"\\ud800\"}",
            "{\"strange\":1}", "{\"label\":\"a\",\"label\":\"b\"}",
        ] {
            let response = try await GuardOverSocketsTests.raw(
                foyer, "POST /api/devices", headers + ["Content-Type: application/json"],
                body: bad.isEmpty ? " " : bad)
            #expect(
                response.status == 201 || (400..<500).contains(response.status),
                "\(bad): \(response.status)")
        }
        try await expectAlive(foyer)
    }

    @Test func `markup in a text field is escaped on every page`() async throws {
        let foyer = try await FoyerProcess.start(in: TemporaryDirectory())
        let browser = try foyer.browser()
        let markup = "<script>alert(1)</script>'\"&"
        let device = try await browser.json(
            "POST", "/api/devices", json: ["label": .string(markup)])
        let id = device["id"]?.string ?? ""
        _ = try await browser.register("evil<b>\"'@example.com", device: id)
        let label = "&lt;script&gt;alert(1)&lt;/script&gt;&#39;&quot;&amp;"
        let address = "evil&lt;b&gt;&quot;&#39;@example.com"
        for (path, expected) in [
            ("/", [address]), ("/studio/mystica", [address]), ("/mailbox", [address]),
            ("/apps/mystica/verify", [address]), ("/sessions", [address, label]),
            ("/faults", [label]),
            ("/traffic?q=%3Cscript%3Ealert(1)%3C/script%3E'%22%26", [label]),
        ] {
            let response = try await browser.send("GET", path, device: id)
            for text in expected { #expect(response.text.contains(text), "\(path)") }
            #expect(!response.text.contains("<script>alert"), "\(path)")
            #expect(!response.text.contains("evil<b>"), "\(path)")
        }
        try await expectAlive(foyer)
    }
}
