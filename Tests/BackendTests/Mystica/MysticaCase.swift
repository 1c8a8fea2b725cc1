import Testing
import Web

/// A request to Mystica's server in a situation, with a transcript of the
/// answer.
struct MysticaCase: Sendable, CustomTestStringConvertible {
    /// The transcript's path, `<endpoint>/<situation>`.
    let name: String
    /// Sets the situation up and gives the request.
    let request: @Sendable (BackendFixture) async throws -> Request

    var testDescription: String { name }

    /// A JSON body, whatever the situation.
    static func post(
        _ name: String, _ path: String, _ body: String, type: String? = "application/json"
    ) -> MysticaCase { MysticaCase(name: name) { _ in .json(path, body, type: type) } }
}

extension Request {
    /// A request to Mystica's API.
    static func json(_ path: String, _ body: String, type: String? = "application/json") -> Request
    {
        var headers = Headers()
        headers["Content-Type"] = type
        return Request(
            method: .post, target: "/main/mystica/api/v1\(path)", headers: headers,
            body: Array(body.utf8))
    }

    static func bearer(_ method: Web.Method, _ path: String, _ token: String?) -> Request {
        var headers = Headers()
        headers["Authorization"] = token.map { "Bearer \($0)" }
        return Request(method: method, target: "/main/mystica/api/v1\(path)", headers: headers)
    }

    /// A mailed link, followed.
    static func link(_ link: String, method: Web.Method = .get) -> Request {
        Request(method: method, target: String(link.dropFirst(BackendFixture.base.count)))
    }
}
