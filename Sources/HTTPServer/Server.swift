import Synchronization
package import Web

/// HTTP server on one address, built on libmicrohttpd; a request is suspended while its responder
/// waits.
///
/// A responder starts on one of libmicrohttpd's two threads, which other requests need too, and
/// continues elsewhere after its first suspension point. So, like all `async` code, it must not
/// block.
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
