import Support
import Testing
import Web

/// Requests nobody honest sends: each has its answer, and the process lives.
@Suite(.timeLimit(.minutes(10))) struct HostileRequestTests {
    private func expectAlive(_ foyer: FoyerProcess) async throws {
        let answer = try await foyer.visitor().send("GET", "/health")
        #expect(answer.status == 200)
        #expect(await foyer.stop() == 0)
    }

    @Test func `no path leads out of the public files`() async throws {
        let foyer = try await FoyerProcess.start(in: TemporaryDirectory())
        let ways = [
            "../Package.swift", "..%2fPackage.swift", "%2e%2e/Package.swift",
            "%2e%2e%2fPackage.swift", "%252e%252e%252fPackage.swift",
            "..%5cPackage.swift", "..\\Package.swift", ".%2e/Package.swift",
            "....//Package.swift", "/etc/passwd", "%2fetc%2fpasswd",
            "..%c0%afPackage.swift", "console/../../Package.swift",
            "%00", "screen.css%00.txt", "..;/Package.swift", ".git/config",
            "./../Package.swift", "..%u2215Package.swift",
        ]
        for prefix in ["/assets/", "/assets/apps/", "/apps/", "/"] {
            for way in ways {
                let answer = try await GuardOverSocketsTests.raw(
                    foyer, "GET \(prefix)\(way)", ["Authorization: Bearer \(foyer.key)"])
                #expect([400, 404].contains(answer.status), "\(prefix)\(way): \(answer.status)")
                #expect(!answer.text.contains("swift-tools-version"))
                #expect(!answer.text.contains("root:"))
            }
        }
        // An encoded way round the guard is the same path.
        for path in ["/%61pi/devices", "/api/%64evices", "//api/devices"] {
            let answer = try await GuardOverSocketsTests.raw(foyer, "GET \(path)")
            #expect([400, 401, 403, 404].contains(answer.status), "\(path)")
        }
        try await expectAlive(foyer)
    }

    @Test func `too much is refused by its size`() async throws {
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
        let announced = try await client.answer()
        #expect(announced.status == 413)

        let deep = String(repeating: "[", count: 100_000)
        let nested = try await GuardOverSocketsTests.raw(
            foyer, "POST /api/devices", [key, "Content-Type: application/json"], body: deep)
        #expect([400, 413].contains(nested.status))
        try await expectAlive(foyer)
    }

    @Test func `clients that never finish keep nobody waiting`() async throws {
        let foyer = try await FoyerProcess.start(in: TemporaryDirectory())
        var halves: [RawClient] = []
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
            halves.append(client)
        }
        for _ in 0..<20 {
            let answer = try await foyer.visitor().send("GET", "/api/apps")
            #expect(answer.status == 200)
        }
        // Half an answer is nobody's.
        for client in halves { client.leave() }
        try await expectAlive(foyer)
    }

    @Test func `messages that mean two things are refused`() async throws {
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
            let answer = try? await client.answer()
            // An answer, if it has one, is a refusal.
            if let answer { #expect(answer.status >= 400 && answer.status != 500, "\(head)") }
        }
        try await expectAlive(foyer)
    }

    @Test func `no field takes bytes that are no text`() async throws {
        let foyer = try await FoyerProcess.start(in: TemporaryDirectory())
        let browser = try foyer.visitor()
        let device = try await browser.makeDevice()
        _ = try await browser.send("POST", "/apps/mystica/splash/launch", device: device, form: [])
        let form = "Content-Type: application/x-www-form-urlencoded"
        let headers = ["Authorization: Bearer \(foyer.key)", "X-Foyer-Device: \(device)"]
        for bad in ["%00", "a%00b", "%ff", "%c3%28", "%ed%a0%80", "%zz", "%"] {
            for body in [
                "email=\(bad)&password=\(TestBrowser.mark)", "email=a@b.c&password=\(bad)",
                "\(bad)=x",
                bad,
            ] {
                let answer = try await GuardOverSocketsTests.raw(
                    foyer, "POST /apps/mystica/login/submit", headers + [form], body: body)
                #expect(
                    answer.status == 303 || (400..<500).contains(answer.status),
                    "\(body): \(answer.status)")
            }
            let path = try await GuardOverSocketsTests.raw(foyer, "GET /sessions?q=\(bad)", headers)
            #expect([200, 400].contains(path.status), "\(bad)")
        }
        for bad in [
            "", "{", "[]", "null", "{\"label\":1}", "\u{0}",
            "{\"label\":\"\\u0000\"}", "{\"label\":\"\\ud800\"}",
            "{\"strange\":1}", "{\"label\":\"a\",\"label\":\"b\"}",
        ] {
            let answer = try await GuardOverSocketsTests.raw(
                foyer, "POST /api/devices", headers + ["Content-Type: application/json"],
                body: bad.isEmpty ? " " : bad)
            #expect(
                answer.status == 201 || (400..<500).contains(answer.status),
                "\(bad): \(answer.status)")
        }
        try await expectAlive(foyer)
    }

    @Test func `markup in a text field is only text`() async throws {
        let foyer = try await FoyerProcess.start(in: TemporaryDirectory())
        let browser = try foyer.visitor()
        let evil = "<script>alert(1)</script>'\"&"
        let device = try await browser.json("POST", "/api/devices", json: ["label": .string(evil)])
        let id = device["id"]?.string ?? ""
        _ = try await browser.register("evil<b>\"'@example.com", device: id)
        let label = "&lt;script&gt;alert(1)&lt;/script&gt;&#39;&quot;&amp;"
        let address = "evil&lt;b&gt;&quot;&#39;@example.com"
        for (path, shown) in [
            ("/", [address]), ("/studio/mystica", [address]), ("/mailbox", [address]),
            ("/apps/mystica/verify", [address]), ("/sessions", [address, label]),
            ("/conditions", [label]),
            ("/traffic?q=%3Cscript%3Ealert(1)%3C/script%3E'%22%26", [label]),
        ] {
            let answer = try await browser.send("GET", path, device: id)
            for text in shown { #expect(answer.text.contains(text), "\(path)") }
            #expect(!answer.text.contains("<script>alert"), "\(path)")
            #expect(!answer.text.contains("evil<b>"), "\(path)")
        }
        try await expectAlive(foyer)
    }
}
