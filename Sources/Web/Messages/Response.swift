/// An HTTP response to a client.
package struct Response: Sendable {
    /// The status code, 200 … 599; of a proxied response up to 999.
    package var status: Int
    /// At most `headerLimit` bytes.
    package var headers: Headers
    package var body: Body
    /// Whether it is a proxied response: nothing is added to it.
    package var isProxied = false

    /// Maximum size of the headers, in bytes.
    package static let headerLimit = 12 << 10

    package init(status: Int, headers: Headers = [:], body: Body = .empty) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The content after the headers.
    package enum Body: Sendable {
        case empty
        case bytes([UInt8])
        /// An unbounded stream of chunks (server-sent events). The server closes the connection
        /// when the client disconnects or reads too slowly, and then cancels the stream.
        case stream(any AsyncSequence<[UInt8], Never> & Sendable)
        /// The body of a proxied response. If it is aborted, the server closes the connection, so
        /// that it does not pass for complete.
        case proxied(BodyStream)
        /// No body, with the length it would have (HEAD).
        case headOnly(length: Int?)
    }
}
