package import Web

/// A request received from a client, reduced to the parts that calls describe.
package struct ObservedRequest: Sendable {
    package var method: Method
    /// Below the backend's base, still percent-encoded, without the query.
    package var path: String
    package var query: [(name: String, value: String)]
    package var body: Body
    /// The token of `Authorization: Bearer`.
    package var bearer: String?

    package init(
        method: Method, path: String, query: [(name: String, value: String)], body: Body = .none,
        bearer: String? = nil
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.body = body
        self.bearer = bearer
    }

    package enum Body: Sendable {
        case none
        case json(JSON)
        case form([(name: String, value: String)])
    }
}

extension ObservedRequest {
    /// A request below a backend's base; an incomplete body is ignored.
    package init(
        _ request: OutboundRequest, path: String, query: [(name: String, value: String)],
        isComplete: Bool = true
    ) {
        self.init(
            method: request.method, path: path, query: query,
            body: isComplete ? Self.body(of: request) : .none, bearer: Self.bearer(request.headers))
    }

    private static func body(of request: OutboundRequest) -> Body {
        guard !request.body.isEmpty else { return .none }
        let kind = request.headers["Content-Type"]?.lowercased() ?? ""
        if kind.hasPrefix("application/x-www-form-urlencoded") {
            return .form(Form.parseLeniently(Substring(decoding: request.body, as: UTF8.self)))
        }
        return (try? JSONReader.read(request.body)).map(Body.json) ?? .none
    }

    private static func bearer(_ headers: Headers) -> String? {
        let parts = headers["Authorization"]?.split(separator: " ", maxSplits: 1)
        guard let parts, parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1])
    }
}
