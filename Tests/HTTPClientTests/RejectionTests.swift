import HTTPClient
import Support
import Testing
import Web

/// Requests that are rejected before anything is sent.
@Suite(.timeLimit(.minutes(10))) struct RejectionTests {
    private let transport: Transport

    init() throws { transport = try Client(ClientConfiguration()).transport }

    @Test(arguments: [
        "127.0.0.1", "localhost", "LOCALHOST", "localhost.", "a.localhost",
        "127.1", "127.0.1", "0x7f.1", "0x7f000001", "0177.0.0.1",
        "2130706433", "127.255.0.3", "[::1]", "[0:0:0:0:0:0:0:1]",
        "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "0.0.0.0", "0", "[::]",
        "[::ffff:0.0.0.0]", "%31%32%37.0.0.1",
    ]) func `the console's own port is rejected in every spelling of the host`(host: String)
        async throws
    {
        let server = try ScriptedServer { _ in .answer(200) }
        defer { server.stop() }
        var configuration = ClientConfiguration()
        configuration.refusedPorts = [server.port]
        let transport = try Client(configuration).transport
        for scheme in ["http", "https"] {
            let url = "\(scheme)://\(host):\(server.port)/"
            let failure = await transport.get(url).failure
            let kind = try #require(failure?.kind, "\(url) got a response")
            // In each case nothing was sent.
            #expect([.refusedAddress, .refusedURL, .nameLookup].contains(kind))
            if host != "localhost.", host != "a.localhost" {
                #expect(kind == .refusedAddress, "\(url)")
            }
        }
        #expect(server.connections == 0)
    }

    @Test func `another port of this machine is not rejected`() async throws {
        let server = try ScriptedServer { _ in .answer(200) }
        defer { server.stop() }
        var configuration = ClientConfiguration()
        configuration.refusedPorts = [server.port &+ 1]
        let transport = try Client(configuration).transport
        for host in ["127.0.0.1", "localhost", "127.1"] {
            _ = try await transport.get("http://\(host):\(server.port)/").response()
        }
        #expect(server.requests.count == 3)
    }

    @Test(arguments: ["0.0.0.0", "[::]"]) func `the unspecified address is rejected`(
        host: String
    ) async throws {
        let server = try ScriptedServer { _ in .answer(200) }
        defer { server.stop() }
        let failure = await transport.get("http://\(host):\(server.port)/").failure
        #expect(failure?.kind == .refusedAddress)
        #expect(server.connections == 0)
    }

    @Test(arguments: [
        "http://example.org/", "http://192.168.1.1/", "http://128.0.0.1/",
        "http://127.0.0.1.example.org/", "http://localhost.example.org/",
        "http://notlocalhost/", "http://[2001:db8::1]/",
        "http://127.0.0.1@example.org/", "http://user:pw@127.0.0.1/",
        "http://example.org#@127.0.0.1/", "http://example.org\\@127.0.0.1/",
        "ftp://127.0.0.1/", "file:///etc/passwd", "gopher://127.0.0.1/",
        "127.0.0.1", "/path", "", "http://", "https://", "http:///x",
        "http://127.0.0.1:0/", "http://127.0.0.1:65536/",
        "http://127.0.0.1:x/", "http://127.0.0.1/a b",
        "http://127.0.0.1/a\r\nX: y", "http://127.0.0.1/ä", "http://[::1/",
        "HTTP://EXAMPLE.ORG/",
    ])
    func `a URL that is not allowed is rejected`(url: String) async {
        let result = await transport.get(url)
        #expect(result.failure?.kind == .refusedURL)
        #expect(result.failure?.detail.contains("pw") == false)
        #expect(result.timings == Timings())
        #expect(result.sentHeaders == [:])
    }

    @Test(arguments: [
        Headers.Field(name: "X", value: "a\r\nY: b"),
        .init(name: "X", value: "a\nY: b"), .init(name: "X", value: "a\0b"),
        .init(name: "X\r\nY", value: "b"), .init(name: "X:", value: "b"),
        .init(name: "", value: "b"), .init(name: "X Y", value: "b"),
    ])
    func `an invalid header field is rejected`(field: Headers.Field)
        async throws
    {
        let server = try ScriptedServer { _ in .answer(200) }
        defer { server.stop() }
        let failure = await transport.get(server.url, headers: Headers([field])).failure
        #expect(failure?.kind == .refusedURL)
        #expect(server.connections == 0)
    }

    @Test(arguments: ["", "GET /other", "GET\r\n", "GÉT"])
    func `a method that is not a token is rejected`(method: String) async throws {
        let server = try ScriptedServer { _ in .answer(200) }
        defer { server.stop() }
        let result = await transport.send(
            OutboundRequest(method: Method(rawValue: method), url: server.url))
        #expect(result.failure?.kind == .refusedURL)
        #expect(server.connections == 0)
    }
}
