/// One line of the site: a method, an address, who may, and what happens.
package struct Route: Sendable {
    package typealias Handler = @Sendable (Visit) async throws -> Response

    package let method: Method
    /// `/sessions/{session}`: a place in braces takes one segment.
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
    }

    package init(
        _ method: Method, _ pattern: String, access: Access = .key,
        _ operation: Operation? = nil, handler: @escaping Handler
    ) {
        self.method = method
        self.pattern = pattern
        self.access = access
        self.operation = operation
        self.handler = handler
    }
}
