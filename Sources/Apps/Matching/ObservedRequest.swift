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
