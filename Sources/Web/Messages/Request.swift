/// An HTTP request as the server parsed it.
package struct Request: Sendable {
    package var method: Method
    /// The request target as sent: path and query, percent-encoded.
    package var target: String
    package var headers: Headers
    /// The complete body; the server bounds its size.
    package var body: [UInt8]
    /// The body as a stream, where the server was configured not to wait for it; `body` is then
    /// empty.
    package var bodyStream: BodyStream?
    /// The peer's address, `127.0.0.1` or `::1`.
    package var peer: String

    package init(
        method: Method, target: String, headers: Headers = [:], body: [UInt8] = [],
        bodyStream: BodyStream? = nil, peer: String = "127.0.0.1"
    ) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
        self.bodyStream = bodyStream
        self.peer = peer
    }
}

/// Handles a request; never throws, since every client gets a response.
package typealias Responder = @Sendable (Request) async -> Response
