/// One answer on its way to a client.
package struct Response: Sendable {
    /// The status code, 200 … 599.
    package var status: Int
    package var headers: Headers
    package var body: Body

    package init(status: Int, headers: Headers = [:], body: Body = .empty) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// What follows the headers.
    package enum Body: Sendable {
        case empty
        case bytes([UInt8])
        /// Chunks as they come, for as long as they come (server-sent
        /// events). The server ends the connection when the client leaves or
        /// reads too slowly, and then cancels the stream.
        case stream(any AsyncSequence<[UInt8], Never> & Sendable)
    }
}
