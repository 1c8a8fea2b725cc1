import Testing
import Web

/// A request to Mystica's server in a given situation, with a transcript of the response.
struct MysticaCase: Sendable, CustomTestStringConvertible {
    /// The transcript's path, `<endpoint>/<situation>`.
    let name: String
    /// Sets up the situation and returns the request.
    let request: @Sendable (BackendFixture) async throws -> Request

    var testDescription: String { name }

    /// A request with a JSON body, without any setup.
    static func post(
        _ name: String, _ path: String, _ body: String, type: String? = "application/json"
    ) -> MysticaCase { MysticaCase(name: name) { _ in .mysticaPost(path, body, type: type) } }
}

extension Request {
    /// A request that posts a body to Mystica's API.
    static func mysticaPost(_ path: String, _ body: String, type: String? = "application/json")
        -> Request
    {
        var headers = Headers()
        headers["Content-Type"] = type
        return Request(
            method: .post, target: "/main/mystica/api/v1\(path)", headers: headers,
            body: Array(body.utf8))
    }

    /// A request without a body to Mystica's API.
    static func mysticaRequest(_ method: Web.Method, _ path: String, _ token: String?) -> Request {
        var headers = Headers()
        headers["Authorization"] = token.map { "Bearer \($0)" }
        return Request(method: method, target: "/main/mystica/api/v1\(path)", headers: headers)
    }

    /// A request of a mailed link.
    static func link(_ link: String, method: Web.Method = .get) -> Request {
        Request(method: method, target: String(link.dropFirst(BackendFixture.baseURL.count)))
    }
}
