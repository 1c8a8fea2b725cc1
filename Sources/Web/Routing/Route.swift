/// A route: method, path pattern, access rule and handler.
package struct Route: Sendable {
    package typealias Handler = @Sendable (RequestContext) async throws -> Response

    package let method: Method
    /// `/sessions/{session}`: a parameter in braces matches one segment. A `/*` at the end matches
    /// everything below, as sent, with any method.
    package let pattern: String
    package let access: Access
    package let handler: Handler

    package enum Access: Sendable {
        /// Requires the key.
        case key
        /// Requires no key: the health check, files, and all routes of the embedded backend.
        case open
        /// A backend's proxy: for programs, never for pages of other origins; the segment after the
        /// first names the workspace.
        case proxy
    }

    /// Whether the route handles everything below its pattern.
    package var isSubtree: Bool { pattern.hasSuffix("/*") }

    /// The pattern without a subtree's `/*`.
    var basePattern: Substring { isSubtree ? pattern.dropLast(2) : pattern[...] }

    package init(
        _ method: Method, _ pattern: String, access: Access = .key, handler: @escaping Handler
    ) {
        self.method = method
        self.pattern = pattern
        self.access = access
        self.handler = handler
    }

    /// The same route with another handler.
    package func replacingHandler(with handler: @escaping Handler) -> Route {
        Route(method, pattern, access: access, handler: handler)
    }
}
