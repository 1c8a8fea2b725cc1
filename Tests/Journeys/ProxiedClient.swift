import Support
import Web

/// A started console, a backend of our own behind it, and a phone that is
/// pointed at it.
struct ProxiedClient {
    let foyer: FoyerProcess
    let backend: ScriptedServer
    let device: String

    /// What a phone asks below `/through/main/mystica` is asked of `backend`
    /// below `/base`.
    init(_ script: @escaping @Sendable (ScriptedRequest) -> ScriptedReply) async throws {
        foyer = try await FoyerProcess.start(in: TemporaryDirectory())
        backend = try ScriptedServer(script)
        let browser = try foyer.visitor()
        device = try await browser.makeDevice()
        _ = try await browser.json(
            "PATCH", "/api/devices/\(device)/apps/mystica",
            json: ["backend": "local", "base": .string(backend.url + "/base")])
    }

    func client() throws -> RawClient { try RawClient(port: foyer.port, patience: 60) }

    /// The head of a request; `line` is `GET /path`.
    func head(_ line: String, _ headers: [String] = []) -> String {
        let words = line.split(separator: " ", maxSplits: 1)
        let all =
            [
                "\(words[0]) /through/main/mystica\(words[1]) HTTP/1.1",
                "Host: 127.0.0.1:\(foyer.port)", "X-Foyer-Device: \(device)",
            ] + headers
        return all.joined(separator: "\r\n") + "\r\n\r\n"
    }

    func ask(_ line: String, _ headers: [String] = [], body: [UInt8] = []) async throws
        -> RawResponse
    {
        let client = try client()
        let length = body.isEmpty ? [] : ["Content-Length: \(body.count)"]
        await client.send(Array(head(line, headers + length).utf8) + body)
        return try await client.answer(toHead: line.hasPrefix("HEAD "))
    }

    /// The newest exchange.
    func recorded() async throws -> JSON {
        try await foyer.visitor().json("GET", "/api/exchanges")["items"]?[0] ?? .null
    }

    func end() async -> Int32 {
        backend.stop()
        return await foyer.stop()
    }
}
