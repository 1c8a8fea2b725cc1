import Testing
import Web

/// A request to a contract in a given situation, with a transcript of the response.
struct ContractCase: Sendable, CustomTestStringConvertible {
    /// The transcript's path, `<contract>/<endpoint>/<situation>`.
    let name: String
    /// Sets up the situation and returns the request.
    let request: @Sendable (BackendFixture) async throws -> Request

    var testDescription: String { name }

    init(_ name: String, _ request: @escaping @Sendable (BackendFixture) async throws -> Request) {
        self.name = name
        self.request = request
    }

    /// A request with a body, without any setup.
    static func post(
        _ name: String, _ target: String, _ body: String, type: String? = "application/json"
    ) -> ContractCase { ContractCase(name) { _ in .post(target, body, type: type) } }

    /// The recorded transcript and that of the current response.
    func transcripts() async throws -> (recorded: String, current: String) {
        let fixture = try await BackendFixture()
        let request = try await request(fixture)
        let transcript = Transcript(title: name, request, await fixture.send(request))
        return (try transcript.recordedText(as: name), transcript.text)
    }
}

extension Request {
    static func post(
        _ target: String, _ body: String = "", type: String? = "application/json",
        bearer: String? = nil, _ extraHeaders: [(String, String)] = [], peer: String = "127.0.0.1"
    ) -> Request {
        var headers = Headers()
        if !body.isEmpty { headers["Content-Type"] = type }
        headers["Authorization"] = bearer.map { "Bearer \($0)" }
        for (name, value) in extraHeaders { headers.add(name, value) }
        return Request(
            method: .post, target: target, headers: headers, body: Array(body.utf8), peer: peer)
    }
}
