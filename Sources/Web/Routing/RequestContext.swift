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
        if let error = target.query.errors(allowing: names).first {
            throw .invalidParameters([error])
        }
        return Dictionary(uniqueKeysWithValues: target.query.map { ($0.name, $0.value) })
    }
}

extension [Form.Item] {
    /// The unknown and the repeated parameters of a query.
    package func errors(allowing names: some Collection<String>) -> [Problem.FieldError] {
        var seen: Set<String> = []
        return compactMap { item in
            if names.contains(item.name) {
                return seen.insert(item.name).inserted
                    ? nil : .init(pointer: "?\(item.name)", detail: "is given twice")
            }
            let valid = names.sorted().joined(separator: ", ")
            return .init(
                pointer: "?\(item.name)",
                detail: valid.isEmpty
                    ? "is unknown; this URL has no parameters"
                    : "is unknown; valid parameters: \(valid)")
        }
    }
}

extension Problem {
    /// Invalid query parameters, each with the pointer `?name`.
    package static func invalidParameters(_ errors: [FieldError]) -> Problem {
        let details = errors.map { "\($0.pointer.dropFirst().prefix(60)) \($0.detail)" }
        return Problem(
            status: 400, code: "invalid-parameter", title: "Invalid query parameter",
            detail: details.joined(separator: "; ") + ".", errors: errors)
    }
}
