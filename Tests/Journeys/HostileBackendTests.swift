import Support
import Testing
import Web

/// Misbehaving backends: each failure is shown and recorded as what it is.
@Suite(.timeLimit(.minutes(10))) struct HostileBackendTests {
    /// A misbehavior of a backend and the message that Mystica shows for it.
    struct BackendFailure: Sendable, CustomTestStringConvertible {
        var name: String
        var reply: ScriptedReply
        var message: String
        var isTransportFailure = true

        var testDescription: String { name }
    }

    static let invalidResponse = "Invalid response from server. Please try again."
    static let unreachable = "No internet connection. Please check your network and try again."

    static let failures = [
        BackendFailure(
            name: "garbage", reply: .raw("\u{1}\u{2}garbage\r\n\r\n"), message: invalidResponse),
        BackendFailure(name: "nothing", reply: .close, message: unreachable),
        BackendFailure(name: "a reset", reply: .reset, message: unreachable),
        BackendFailure(
            name: "half a response",
            reply: .raw("HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{\"user\""),
            message: unreachable),
        BackendFailure(name: "too much", reply: .endless, message: invalidResponse),
        BackendFailure(
            name: "a thousand headers", reply: .headers(1_000), message: invalidResponse),
        BackendFailure(
            name: "no JSON", reply: .answer(200, "<html>hello"), message: invalidResponse,
            isTransportFailure: false),
        BackendFailure(
            name: "JSON of another kind", reply: .answer(200, "[1,2,3]"), message: invalidResponse,
            isTransportFailure: false),
        BackendFailure(
            name: "deep JSON", reply: .answer(200, String(repeating: "[", count: 50_000)),
            message: invalidResponse, isTransportFailure: false),
        BackendFailure(
            name: "no text",
            reply: .bytes(
                Array("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n".utf8) + [
                    0xFF, 0xFE, 0x00, 0x80,
                ]), message: invalidResponse, isTransportFailure: false),
        BackendFailure(
            name: "a redirect", reply: .redirect(to: "http://127.0.0.1:1/elsewhere"), message: "",
            isTransportFailure: false),
    ]

    @Test(arguments: failures) func `a backend failure is shown on the screen and recorded`(
        failure: BackendFailure
    ) async throws {
        let server = try ScriptedServer { _ in failure.reply }
        defer { server.stop() }
        let foyer = try await FoyerProcess.start(in: TemporaryDirectory())
        let browser = try foyer.browser()
        let device = try await browser.makeDevice()
        let path = "/api/devices/\(device)/apps/mystica"
        _ = try await browser.json(
            "PATCH", path, json: ["backend": "local", "base": .string(server.url + "/api")])
        _ = try await browser.json("POST", path + "/relaunch")
        let response = try await browser.send(
            "POST", "/apps/mystica/login/submit", device: device,
            form: [("email", "a@b.cd"), ("password", TestBrowser.passwordPrefix)])
        #expect(response.status == 303)

        let state = try await browser.json("GET", path)
        #expect(state["screen"]?.string == "login")
        let notice = state["notice"]?.string ?? ""
        #expect(!notice.isEmpty)
        if !failure.message.isEmpty { #expect(notice == failure.message) }

        // Recorded as what it is: a transport failure has no status.
        let list = try await browser.json("GET", "/api/exchanges?device=\(device)")
        #expect(list["total"]?.int == 1)
        let exchange = list["items"]?[0]
        #expect((exchange?["failure"] != .null) == failure.isTransportFailure)
        #expect((exchange?["status"]?.int != nil) == !failure.isTransportFailure)
        // A redirect is not followed.
        #expect(server.requests.count <= 1)

        let page = try await browser.send("GET", "/apps/mystica/login", device: device)
        #expect(page.status == 200)
        #expect(await foyer.stop() == 0)
    }

    @Test func `a backend that never responds does not delay other requests`() async throws {
        let server = try ScriptedServer { _ in .silence }
        defer { server.stop() }
        let foyer = try await FoyerProcess.start(in: TemporaryDirectory())
        let browser = try foyer.browser()
        await withTaskGroup(of: Void.self) { group in
            var clients: [RawClient] = []
            for _ in 0..<32 {
                guard let device = try? await browser.makeDevice() else { continue }
                let path = "/api/devices/\(device)/apps/mystica"
                _ = try? await browser.json(
                    "PATCH", path, json: ["backend": "local", "base": .string(server.url)])
                _ = try? await browser.json("POST", path + "/relaunch")
                guard let client = try? RawClient(port: foyer.port) else { continue }
                let body = "email=a%40b.cd&password=\(TestBrowser.passwordPrefix)"
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
                let response = try? await browser.send("GET", "/sessions")
                #expect(response?.status == 200)
            }
            for client in clients { client.leave() }
        }
        // Stopping does not wait indefinitely for these requests.
        #expect(await foyer.stop() == 0)
    }

    @Test func `foyer does not call itself`() async throws {
        let foyer = try await FoyerProcess.start(in: TemporaryDirectory())
        let browser = try foyer.browser()
        let device = try await browser.makeDevice()
        let path = "/api/devices/\(device)/apps/mystica"
        for host in [
            "127.0.0.1", "localhost", "127.1", "[::1]", "0.0.0.0", "[::ffff:7f00:1]", "0x7f000001",
            "2130706433", "127.0.0.2",
        ] {
            let response = try await browser.send(
                "PATCH", path,
                json: ["backend": "local", "base": .string("http://\(host):\(foyer.port)/x")])
            if response.status >= 400 { continue }
            // Accepted by its spelling, then refused by its address.
            _ = try await browser.json("POST", path + "/relaunch")
            _ = try await browser.send(
                "POST", "/apps/mystica/login/submit", device: device,
                form: [("email", "a@b.cd"), ("password", TestBrowser.passwordPrefix)])
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
        let browser = try foyer.browser()
        let device = try await browser.makeDevice()
        let response = try await browser.send(
            "PATCH", "/api/devices/\(device)/apps/mystica",
            json: ["backend": "local", "base": .string(base)])
        #expect((400..<500).contains(response.status), "\(response.text)")
        #expect(response["Content-Type"]?.hasPrefix("application/problem+json") == true)
        #expect(await foyer.stop() == 0)
    }
}
