import Testing
import Web

/// A request to a contract in a situation, with a transcript of the answer.
struct ContractCase: Sendable, CustomTestStringConvertible {
    /// The transcript's path, `<contract>/<endpoint>/<situation>`.
    let name: String
    /// Sets the situation up and gives the request.
    let request: @Sendable (BackendFixture) async throws -> Request

    var testDescription: String { name }

    init(_ name: String, _ request: @escaping @Sendable (BackendFixture) async throws -> Request) {
        self.name = name
        self.request = request
    }

    /// A body to `target`, whatever the situation.
    static func post(
        _ name: String, _ target: String, _ body: String, type: String? = "application/json"
    ) -> ContractCase { ContractCase(name) { _ in .post(target, body, type: type) } }

    /// The kept transcript and the one of now.
    func transcripts() async throws -> (kept: String, now: String) {
        let fixture = try await BackendFixture()
        let request = try await request(fixture)
        let transcript = Transcript(title: name, request, await fixture.send(request))
        return (try transcript.kept(as: name), transcript.text)
    }
}

extension Request {
    static func post(
        _ target: String, _ body: String = "", type: String? = "application/json",
        bearer: String? = nil, _ more: [(String, String)] = [], peer: String = "127.0.0.1"
    ) -> Request {
        var headers = Headers()
        if !body.isEmpty { headers["Content-Type"] = type }
        headers["Authorization"] = bearer.map { "Bearer \($0)" }
        for (name, value) in more { headers.add(name, value) }
        return Request(
            method: .post, target: target, headers: headers, body: Array(body.utf8), peer: peer)
    }
}
