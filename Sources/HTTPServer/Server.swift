import Synchronization
package import Web

/// HTTP server on one address, built on libmicrohttpd; a request is suspended while its responder
/// waits.
///
/// A responder runs on one of libmicrohttpd's few threads, which other requests need too. So, like
/// all `async` code, it must not block.
package final class Server: Sendable {
    private let daemon: Daemon
    /// The stop in progress, shared by all callers.
    private let stopTask = Mutex<Task<Void, Never>?>(nil)

    /// Binds the address and starts to serve requests with `responder`.
    package convenience init(_ configuration: ServerConfiguration, responder: @escaping Responder)
        throws(ServerError)
    {
        try self.init(
            ListeningSocket(address: configuration.address, port: configuration.port),
            configuration, responder: responder)
    }

    /// Serves the requests that arrive at `listener`, instead of the configuration's address.
    package init(
        _ listener: consuming ListeningSocket, _ configuration: ServerConfiguration,
        responder: @escaping Responder
    ) throws(ServerError) { daemon = try Daemon(listener, configuration, responder: responder) }

    /// The last owner may be a responder, on whose thread nothing may block.
    deinit { daemon.scheduleStop() }

    /// The bound port (useful when 0 was requested).
    package var port: UInt16 { daemon.port }

    /// Responds with 503 to further requests, lets pending ones finish for at most `grace`,
    /// responds with 503 to those that take longer, ends streams, and stops. A second call waits
    /// for the same stop.
    package func stop(grace: Duration = .seconds(5)) async {
        let task = stopTask.withLock { current in
            if let current { return current }
            let task = Task { [daemon] in await Self.stop(daemon, grace: grace) }
            current = task
            return task
        }
        await task.value
    }

    private static func stop(_ daemon: Daemon, grace: Duration) async {
        daemon.stopAccepting()
        await waitUntilIdle(daemon, within: grace)
        daemon.abortResponses()
        // libmicrohttpd closes connections whose responses are still to be sent.
        await waitUntilIdle(daemon, within: .seconds(2))
        await daemon.stopAndWait()
    }

    private static func waitUntilIdle(_ daemon: Daemon, within limit: Duration) async {
        let deadline = ContinuousClock.now + limit
        while ContinuousClock.now < deadline, daemon.connectionRegistry.isBusy {
            await daemon.sleep(milliseconds: 5)
        }
    }
}

/// Address and limits of a server.
package struct ServerConfiguration: Sendable {
    /// A literal IPv4 or IPv6 address.
    package var address: String = "127.0.0.1"
    /// 0 picks a free one.
    package var port: UInt16
    /// Maximum bytes of a request body; more is 413.
    package var bodyLimit: Int = 1 << 20
    /// The limit instead of `bodyLimit` at a target that accepts files, for a body with a length;
    /// nil for all other targets. Throws why this client may not send one.
    package var largeBodyLimit: LargeBodyLimit = { _, _ in nil }

    package typealias LargeBodyLimit = @Sendable (_ target: String, Headers) throws(Problem) -> Int?
    /// How many bodies larger than `bodyLimit` are held at once; further ones get 503.
    package var concurrentLargeBodies: Int = 2
    /// Builds the response to a request that is rejected before the responder is called, in the
    /// format its sender expects. Called on libmicrohttpd's threads; must not block.
    package var makeRejectionResponse: @Sendable (Problem, Request) -> Response = { problem, _ in
        problem.response
    }
    /// Whether requests to this target are streamed: a body that is larger than
    /// `streamingThreshold`, or has no length, becomes a body stream without a size limit. A
    /// pending response is canceled when the client disconnects.
    package var isStreamingTarget: @Sendable (_ target: String) -> Bool = { _ in false }
    /// In bytes; up to this size a body is buffered even at a streaming target.
    package var streamingThreshold: Int = 64 << 10
    /// Request line and headers together, in bytes; more is 431. A browser sends up to 8 KB of
    /// cookies, or of query, besides its other fields.
    package var headerLimit: Int = 12 << 10
    /// Open connections; a quarter of them is reserved for requests that are neither streams nor
    /// sent to streaming targets.
    package var connectionLimit: Int = 2_048
    /// How long a connection may be idle without being evicted for others.
    package var evictionGracePeriod: Duration = .seconds(1)
    /// Seconds a connection may be idle.
    package var idleTimeout: Int = 30
    /// For a complete request to arrive; also the longest pause of a streamed body.
    package var requestDeadline: Duration = .seconds(30)
    /// Bytes per second of a streamed body; a slower one uses up its deadline.
    package var minimumUploadRate: Int = 1 << 10
    /// For the remaining bytes of a streamed body once its response exists.
    package var uploadDrainDeadline: Duration = .seconds(5)
    /// Bytes of a stream that are buffered for a slow reader; at this limit the stream itself
    /// waits.
    package var streamBufferSize: Int = 256 << 10
    /// How long a proxied body may wait for its reader before the connection is closed; its clients
    /// may read slowly.
    package var proxyStallTimeout: Duration = .seconds(120)
    /// How long a stream may wait for its reader before the connection is closed.
    package var streamStallTimeout: Duration = .seconds(10)
    /// After this much silence an event stream sends an empty comment, so that proxies keep the
    /// connection and a disconnected client is noticed.
    package var heartbeatInterval: Duration = .seconds(15)
    /// Receives libmicrohttpd's log messages; called on its threads, must not block.
    package var log: @Sendable (String) -> Void = { _ in }

    package init(port: UInt16 = 0) { self.port = port }

    /// The size of a connection's memory, which libmicrohttpd allocates in one block: the bytes as
    /// received, a record of each field, and the response headers. If these do not fit, it closes
    /// the connection without a response. Every idle stream costs this much, so it is no larger.
    var connectionMemory: Int { headerLimit + Response.headerLimit + (8 << 10) }

    /// Whether the memory suffices for such a request and its response.
    func fits(headerBytes size: Int, fieldCount: Int) -> Bool {
        // A record takes 56 bytes. `Cookie` needs two more, for the marker field and its content. A
        // response also has a status line and libmicrohttpd's own fields.
        let free = connectionMemory - 56 * (fieldCount + 2) - 512
        // Pipelined requests may fill half of the buffer; there must still be space for one of the
        // console's responses, whose headers may take 4 KiB.
        return size <= free - Response.headerLimit && connectionMemory / 2 <= free - (4 << 10)
    }
}
