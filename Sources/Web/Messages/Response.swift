/// One answer on its way to a client.
package struct Response: Sendable {
    /// The status code, 200 … 599; of somebody else's answer up to 999.
    package var status: Int
    /// At most `headerLimit` bytes.
    package var headers: Headers
    package var body: Body
    /// Somebody else's answer, handed on: nothing is added to it.
    package var isProxied = false

    /// Bytes of headers that can be sent.
    package static let headerLimit = 12 << 10

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
        /// Somebody else's body as it comes. One that breaks off ends the
        /// connection, so that it does not pass for whole.
        case proxied(BodyStream)
        /// None, though one of that length could have been had (HEAD).
        case headOnly(length: Int?)
    }
}
