import Support
import Web

/// A running console, a scripted backend behind its proxy, and a device that uses this backend.
struct ProxiedClient {
    let foyer: FoyerProcess
    let backend: ScriptedServer
    let device: String

    /// Requests below `/proxy/main/mystica` are forwarded to `backend` below `/base`.
    init(_ script: @escaping @Sendable (ScriptedRequest) -> ScriptedReply) async throws {
        foyer = try await FoyerProcess.start(in: TemporaryDirectory())
        backend = try ScriptedServer(script)
        let browser = try foyer.browser()
        device = try await browser.makeDevice()
        _ = try await browser.json(
            "PATCH", "/api/devices/\(device)/apps/mystica",
            json: ["backend": "local", "base": .string(backend.url + "/base")])
    }

    func client() throws -> RawClient { try RawClient(port: foyer.port, patience: 60) }

    /// The head of a request; `line` is `GET /path`.
    func head(_ line: String, _ headers: [String] = []) -> String {
        let parts = line.split(separator: " ", maxSplits: 1)
        let lines =
            [
                "\(parts[0]) /proxy/main/mystica\(parts[1]) HTTP/1.1",
                "Host: 127.0.0.1:\(foyer.port)", "X-Foyer-Device: \(device)",
            ] + headers
        return lines.joined(separator: "\r\n") + "\r\n\r\n"
    }

    func send(_ line: String, _ headers: [String] = [], body: [UInt8] = []) async throws
        -> RawResponse
    {
        let client = try client()
        let length = body.isEmpty ? [] : ["Content-Length: \(body.count)"]
        await client.send(Array(head(line, headers + length).utf8) + body)
        return try await client.answer(toHead: line.hasPrefix("HEAD "))
    }

    /// The newest recorded exchange.
    func newestExchange() async throws -> JSON {
        try await foyer.browser().json("GET", "/api/exchanges")["items"]?[0] ?? .null
    }

    /// Stops both; returns the exit code of foyer.
    func stop() async -> Int32 {
        backend.stop()
        return await foyer.stop()
    }
}
