import Support
import Testing
import Web

/// Backends gone wrong: each failure is told as what it was.
@Suite(.timeLimit(.minutes(10))) struct HostileBackendTests {
    /// A way to be wrong, and the words Mystica has for it.
    struct Trouble: Sendable, CustomTestStringConvertible {
        var name: String
        var reply: ScriptedReply
        var says: String
        var failed = true

        var testDescription: String { name }
    }

    static let notUnderstood = "Invalid response from server. Please try again."
    static let unreached = "No internet connection. Please check your network and try again."

    static let troubles = [
        Trouble(name: "garbage", reply: .raw("\u{1}\u{2}garbage\r\n\r\n"), says: notUnderstood),
        Trouble(name: "nothing", reply: .close, says: unreached),
        Trouble(name: "a reset", reply: .reset, says: unreached),
        Trouble(
            name: "half an answer",
            reply: .raw("HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{\"user\""), says: unreached),
        Trouble(name: "too much", reply: .endless, says: notUnderstood),
        Trouble(name: "a thousand headers", reply: .headers(1_000), says: notUnderstood),
        Trouble(
            name: "no JSON", reply: .answer(200, "<html>hello"), says: notUnderstood, failed: false),
        Trouble(
            name: "JSON of another kind", reply: .answer(200, "[1,2,3]"), says: notUnderstood,
            failed: false),
        Trouble(
            name: "deep JSON", reply: .answer(200, String(repeating: "[", count: 50_000)),
            says: notUnderstood, failed: false),
        Trouble(
            name: "no text",
            reply: .bytes(
                Array("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n".utf8) + [
                    0xFF, 0xFE, 0x00, 0x80,
                ]), says: notUnderstood, failed: false),
        Trouble(
            name: "a redirect", reply: .redirect(to: "http://127.0.0.1:1/elsewhere"), says: "",
            failed: false),
    ]

    @Test(arguments: troubles) func `a backend's trouble is told and nothing breaks`(
        trouble: Trouble
    ) async throws {
        let server = try ScriptedServer { _ in trouble.reply }
        defer { server.stop() }
        let foyer = try await FoyerProcess.start(in: TemporaryDirectory())
        let browser = try foyer.visitor()
        let device = try await browser.makeDevice()
        let place = "/api/devices/\(device)/apps/mystica"
        _ = try await browser.json(
            "PATCH", place, json: ["backend": "local", "base": .string(server.url + "/api")])
        _ = try await browser.json("POST", place + "/relaunch")
        let answer = try await browser.send(
            "POST", "/apps/mystica/login/submit", device: device,
            form: [("email", "a@b.cd"), ("password", TestBrowser.mark)])
        #expect(answer.status == 303)

        let state = try await browser.json("GET", place)
        #expect(state["screen"]?.string == "login")
        let notice = state["notice"]?.string ?? ""
        #expect(!notice.isEmpty)
        if !trouble.says.isEmpty { #expect(notice == trouble.says) }

        // Recorded as what it was: no status is made up for a failure.
        let list = try await browser.json("GET", "/api/exchanges?device=\(device)")
        #expect(list["total"]?.int == 1)
        let exchange = list["items"]?[0]
        #expect((exchange?["failure"] != .null) == trouble.failed)
        #expect((exchange?["status"]?.int != nil) == !trouble.failed)
        // A redirect is not followed.
        #expect(server.requests.count <= 1)

        let page = try await browser.send("GET", "/apps/mystica/login", device: device)
        #expect(page.status == 200)
        #expect(await foyer.stop() == 0)
    }

    @Test func `a backend that never answers holds up nobody else`() async throws {
        let server = try ScriptedServer { _ in .silence }
        defer { server.stop() }
        let foyer = try await FoyerProcess.start(in: TemporaryDirectory())
        let browser = try foyer.visitor()
        await withTaskGroup(of: Void.self) { group in
            var clients: [RawClient] = []
            for _ in 0..<32 {
                guard let device = try? await browser.makeDevice() else { continue }
                let place = "/api/devices/\(device)/apps/mystica"
                _ = try? await browser.json(
                    "PATCH", place, json: ["backend": "local", "base": .string(server.url)])
                _ = try? await browser.json("POST", place + "/relaunch")
                guard let client = try? RawClient(port: foyer.port) else { continue }
                let body = "email=a%40b.cd&password=\(TestBrowser.mark)"
                await client.send(
                    "POST /apps/mystica/login/submit HTTP/1.1\r\n"
                        + "Host: 127.0.0.1:\(foyer.port)\r\n"
                        + "Authorization: Bearer \(foyer.key)\r\n"
                        + "X-Foyer-Device: \(device)\r\nContent-Type: "
                        + "application/x-www-form-urlencoded\r\n"
                        + "Content-Length: \(body.utf8.count)\r\n\r\n" + body)
                clients.append(client)
            }
            await server.received(32)
            for _ in 0..<20 {
                let answer = try? await browser.send("GET", "/sessions")
                #expect(answer?.status == 200)
            }
            for client in clients { client.leave() }
        }
        // Asked to end, it does not wait for them for ever.
        #expect(await foyer.stop() == 0)
    }

    @Test func `foyer does not call itself`() async throws {
        let foyer = try await FoyerProcess.start(in: TemporaryDirectory())
        let browser = try foyer.visitor()
        let device = try await browser.makeDevice()
        let place = "/api/devices/\(device)/apps/mystica"
        for host in [
            "127.0.0.1", "localhost", "127.1", "[::1]", "0.0.0.0", "[::ffff:7f00:1]", "0x7f000001",
            "2130706433", "127.0.0.2",
        ] {
            let answer = try await browser.send(
                "PATCH", place,
                json: ["backend": "local", "base": .string("http://\(host):\(foyer.port)/x")])
            if answer.status >= 400 { continue }
            // Accepted by its spelling: then refused by its address.
            _ = try await browser.json("POST", place + "/relaunch")
            _ = try await browser.send(
                "POST", "/apps/mystica/login/submit", device: device,
                form: [("email", "a@b.cd"), ("password", TestBrowser.mark)])
            let list = try await browser.json("GET", "/api/exchanges?device=\(device)")
            #expect(list["items"]?[0]?["status"]?.int == nil, "\(host)")
        }
        #expect(await foyer.stop() == 0)
    }

    @Test(arguments: [
        "http://example.com/api", "ftp://127.0.0.1/", "file:///etc/passwd",
        "javascript:alert(1)", "nonsense", "http://127.0.0.1:1/a b",
        "http://user:secret@127.0.0.1:1/",
    ])
    func `only https or loopback can be a backend`(base: String) async throws {
        let foyer = try await FoyerProcess.start(in: TemporaryDirectory())
        let browser = try foyer.visitor()
        let device = try await browser.makeDevice()
        let answer = try await browser.send(
            "PATCH", "/api/devices/\(device)/apps/mystica",
            json: ["backend": "local", "base": .string(base)])
        #expect((400..<500).contains(answer.status), "\(answer.text)")
        #expect(answer["Content-Type"]?.hasPrefix("application/problem+json") == true)
        #expect(await foyer.stop() == 0)
    }
}
