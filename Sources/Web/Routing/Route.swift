/// One line of the site: a method, an address, who may, and what happens.
package struct Route: Sendable {
    package typealias Handler = @Sendable (RequestContext) async throws -> Response

    package let method: Method
    /// `/sessions/{session}`: a place in braces takes one segment. With `/*`
    /// at its end it takes everything below, as sent, by any method.
    package let pattern: String
    package let access: Access
    /// How the API's description speaks of it; nil for pages.
    package let operation: Operation?
    package let handler: Handler

    package enum Access: Sendable {
        /// With the key alone.
        case key
        /// For all: liveness and static files.
        case open
        /// A backend's door: for programs, never for pages of other origins;
        /// the segment after the first names the workspace.
        case proxy
    }

    /// Whether everything below is its own.
    package var isSubtree: Bool { pattern.hasSuffix("/*") }

    /// The pattern, without what a subtree has at its end.
    var basePattern: Substring { isSubtree ? pattern.dropLast(2) : pattern[...] }

    package init(
        _ method: Method, _ pattern: String, access: Access = .key, _ operation: Operation? = nil,
        handler: @escaping Handler
    ) {
        self.method = method
        self.pattern = pattern
        self.access = access
        self.operation = operation
        self.handler = handler
    }

    /// The same route, answered by `handler`.
    package func replacingHandler(with handler: @escaping Handler) -> Route {
        Route(method, pattern, access: access, operation, handler: handler)
    }
}
