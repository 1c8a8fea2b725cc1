/// An authorized request with everything a handler needs.
package struct RequestContext: Sendable {
    package let request: Request
    package let target: RequestTarget
    package let cookies: Cookies
    package let authentication: Authentication
    /// The values of the route pattern's parameters.
    package var parameters: [String: String]

    package init(
        request: Request, target: RequestTarget, cookies: Cookies, authentication: Authentication,
        parameters: [String: String] = [:]
    ) {
        self.request = request
        self.target = target
        self.cookies = cookies
        self.authentication = authentication
        self.parameters = parameters
    }

    /// How a request was authorized.
    package enum Authentication: Sendable, Equatable {
        /// The route is open to all.
        case notRequired
        case bearer
        /// A browser that signed in with the key; its forms carry `csrfToken`.
        case session(csrfToken: String)
    }

    /// The value for a form's hidden field; empty without a session.
    package var csrfToken: String {
        if case .session(let csrfToken) = authentication { csrfToken } else { "" }
    }

    /// The query's values by name.
    ///
    /// Throws a 400 that names the first unknown or duplicate parameter.
    package func query(allowing names: [String]) throws(Problem) -> [String: String] {
        var values: [String: String] = [:]
        for item in target.query {
            let detail: String
            if !names.contains(item.name) {
                detail =
                    names.isEmpty
                    ? "is unknown; this URL has no parameters"
                    : "is unknown; valid parameters: " + names.sorted().joined(separator: ", ")
            } else if values[item.name] != nil {
                detail = "is given twice"
            } else {
                values[item.name] = item.value
                continue
            }
            throw Problem(
                status: 400, code: "invalid-parameter", title: "Invalid query parameter",
                detail: "\(item.name.prefix(60)) \(detail).",
                errors: [.init(pointer: "?\(item.name)", detail: detail)])
        }
        return values
    }
}
