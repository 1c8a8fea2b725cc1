import HTTPClient
import Support
import Testing
import Web

/// Certificates are always checked.
@Suite(
    .timeLimit(.minutes(10)),
    .enabled(if: TLSServer.tool != nil, "openssl is not installed: no server to encrypt with"))
struct EncryptionTests {
    private func client(trusting file: String? = nil) throws -> Transport {
        var configuration = ClientConfiguration()
        configuration.certificateAuthorityFile = file
        return try Client(configuration).transport
    }

    @Test func `a request to a server with a trusted certificate succeeds`() async throws {
        let server = try TLSServer(name: "localhost")
        let transport = try client(trusting: server.certificate)
        let url = "https://localhost:\(server.port)/"
        let result = await transport.get(url)
        #expect(try result.response().status == 200)
        let tls = try #require(result.timings.tls)
        #expect(tls > 0)
        #expect(result.remoteAddress == "127.0.0.1:\(server.port)")
    }

    @Test func `an untrusted certificate is a failure`() async throws {
        let server = try TLSServer(name: "localhost")
        let result = try await client().get("https://localhost:\(server.port)/secret")
        #expect(result.failure?.kind == .tls)
        #expect(result.failure?.detail.contains("secret") == false)
        #expect(result.sentHeaders == [:])
    }

    @Test func `a certificate for another name is a failure`() async throws {
        let server = try TLSServer(name: "elsewhere.example")
        let transport = try client(trusting: server.certificate)
        let failure = await transport.get("https://localhost:\(server.port)/").failure
        #expect(failure?.kind == .tls)
    }

    @Test func `a certificate for a name is a failure for an IP address`() async throws {
        let server = try TLSServer(name: "localhost")
        let transport = try client(trusting: server.certificate)
        let failure = await transport.get("https://127.0.0.1:\(server.port)/").failure
        #expect(failure?.kind == .tls)
    }

    @Test func `https to a plain HTTP server is a failure`() async throws {
        let server = try ScriptedServer { _ in .answer(200) }
        defer { server.stop() }
        let failure = try await client().get("https://127.0.0.1:\(server.port)/").failure
        #expect(failure?.kind == .tls)
        #expect(server.requests.isEmpty)
    }
}
