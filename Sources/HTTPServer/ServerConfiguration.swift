package import Web

/// Address and bounds of a server.
package struct ServerConfiguration: Sendable {
    /// A literal IPv4 or IPv6 address.
    package var address: String = "127.0.0.1"
    /// 0 picks a free one.
    package var port: UInt16
    /// Request body bytes; more is 413.
    package var bodyLimit: Int = 1 << 20
    /// What a body may have instead at a target that takes files, if it tells
    /// its length; nil for all others. Throws why this client may not send one.
    package var largeBodyLimit: LargeBodyLimit = { _, _ in nil }

    package typealias LargeBodyLimit = @Sendable (_ target: String, Headers) throws(Problem) -> Int?
    /// So many bodies larger than `bodyLimit` are held at once; further ones
    /// are 503.
    package var concurrentLargeBodies: Int = 2
    /// The answer to a request that is refused before anybody was asked, in
    /// the words of whoever sent it. Called on libmicrohttpd's threads, must
    /// not block.
    package var makeRejectionResponse: @Sendable (Problem, Request) -> Response = { problem, _ in
        problem.response
    }
    /// Whether a request to this target is handed over as it comes: a body
    /// that is larger than `wholeBody`, or tells no length, as an upload
    /// without a limit. Such an answer is no longer waited for when its client
    /// has left.
    package var isStreamingTarget: @Sendable (_ target: String) -> Bool = { _ in false }
    /// Bytes of a body that is waited for all the same.
    package var streamingThreshold: Int = 64 << 10
    /// Request line and headers together; more is 431. A browser sends up to
    /// 8 KB of cookies, or of query, besides the rest.
    package var headerLimit: Int = 12 << 10
    /// Open connections; a quarter of them is kept free of streams, and of
    /// requests to targets that stream.
    package var connectionLimit: Int = 2_048
    /// How long a connection may be silent and not have to go for others.
    package var evictionGracePeriod: Duration = .seconds(1)
    /// Seconds a connection may be silent.
    package var idleTimeout: Int = 30
    /// For a whole request to arrive; a body that is handed over as it comes
    /// may rest for as long.
    package var requestDeadline: Duration = .seconds(30)
    /// Bytes a second of such a body; a slower one uses its rest up.
    package var minimumUploadRate: Int = 1 << 10
    /// For what is left of such a body once its answer is there.
    package var uploadDrainDeadline: Duration = .seconds(5)
    /// Bytes of a stream that may wait for a slow reader; when they are
    /// reached the stream itself waits.
    package var streamBufferSize: Int = 256 << 10
    /// The same for somebody else's body that is handed on, and for clients
    /// that read as slowly as they like.
    package var proxyStallTimeout: Duration = .seconds(120)
    /// How long a stream may wait for its reader before the connection ends.
    package var streamStallTimeout: Duration = .seconds(10)
    /// After so much silence an event stream gets an empty comment, by which
    /// proxies keep it and a client that left is noticed.
    package var heartbeatInterval: Duration = .seconds(15)
    /// Gets libmicrohttpd's complaints; called on its threads, must not block.
    package var log: @Sendable (String) -> Void = { _ in }

    package init(port: UInt16) { self.port = port }
}
