import CMicrohttpd
import Dispatch
import Synchronization
import Web

/// Owns the libmicrohttpd daemon: starts it, checks deadlines for it, stops it.
///
/// Only `stop` may block, on `queue`.
final class Daemon: Sendable {
    let configuration: ServerConfiguration
    let responder: Responder
    let connectionRegistry: ConnectionRegistry
    let largeBodyPermits: LargeBodyPermits
    let port: UInt16
    private let queue = DispatchQueue(label: "foyer.http-server")
    private let handle = Mutex<DaemonHandle?>(nil)

    /// `@unchecked Sendable`: libmicrohttpd and Dispatch allow calls on these from any thread;
    /// `handle` ensures that the last one happens once.
    private struct DaemonHandle: @unchecked Sendable {
        let daemon: OpaquePointer
        let timer: any DispatchSourceTimer
    }

    init(_ configuration: ServerConfiguration, responder: @escaping Responder) throws(ServerError) {
        DescriptorLimit.raise()
        let listener = try ListeningSocket(address: configuration.address, port: configuration.port)
        self.configuration = configuration
        self.responder = responder
        port = listener.port
        connectionRegistry = ConnectionRegistry(
            connectionLimit: configuration.connectionLimit,
            evictionGracePeriod: configuration.evictionGracePeriod)
        largeBodyPermits = LargeBodyPermits(limit: configuration.concurrentLargeBodies)
        guard let daemon = start(on: listener.descriptor) else {
            throw ServerError(
                kind: .libraryFailure, detail: "libmicrohttpd did not start; its log says why")
        }
        listener.handOver()
        let started = DaemonHandle(daemon: daemon, timer: startTimer())
        handle.withLock { $0 = started }
    }

    private func start(on socket: Int32) -> OpaquePointer? {
        let context = Unmanaged.passUnretained(self).toOpaque()
        var options = DaemonOptions()
        // First, so that complaints about the other options are logged.
        options.add(
            .EXTERNAL_LOGGER, unsafeBitCast(libraryLogged as MHD_LogCallback, to: Int.self), context
        )
        options.add(.LISTEN_SOCKET, Int(socket))
        options.add(.THREAD_POOL_SIZE, 2)
        // Before 0.9.77 strictness rejects little more, and sends the head of such a rejection
        // twice; the server performs these checks itself.
        options.add(.STRICT_FOR_CLIENT, HeaderIntegrityCheck.isNeeded ? 0 : 1)
        options.add(.CONNECTION_LIMIT, configuration.connectionLimit)
        options.add(.CONNECTION_TIMEOUT, configuration.idleTimeout)
        options.add(.CONNECTION_MEMORY_LIMIT, configuration.connectionMemory)
        options.add(
            .NOTIFY_CONNECTION,
            unsafeBitCast(connectionChanged as MHD_NotifyConnectionCallback, to: Int.self), context)
        options.add(
            .NOTIFY_COMPLETED,
            unsafeBitCast(requestCompleted as MHD_RequestCompletedCallback, to: Int.self), context)
        options.add(
            .URI_LOG_CALLBACK,
            unsafeBitCast(requestBegan as DaemonOptions.RequestBeganCallback, to: Int.self),
            context)
        options.add(
            .UNESCAPE_CALLBACK,
            unsafeBitCast(keepPercentEncoding as DaemonOptions.UnescapeCallback, to: Int.self),
            context)
        return options.withArray { array in
            foyer_mhd_start(foyer_mhd_flags, requestArrived, context, array)
        }
    }

    /// Ticks at least four times within the shortest timeout.
    private func startTimer() -> any DispatchSourceTimer {
        let shortest = min(
            configuration.requestDeadline, configuration.streamStallTimeout,
            configuration.heartbeatInterval,
            configuration.uploadDrainDeadline, .seconds(4))
        let (seconds, attoseconds) = (shortest / 4).components
        let step = max(10, Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + .milliseconds(step), repeating: .milliseconds(step))
        timer.setEventHandler { [weak self] in
            guard let self else { return }
            let now = ContinuousClock.now
            for connection in connectionRegistry.connections { connection.tick(now) }
            connectionRegistry.evictIdle(now)
        }
        timer.activate()
        return timer
    }

    /// Responds to new requests with 503, of new clients too.
    ///
    /// The listening socket stays open: `MHD_quiesce_daemon` ends the process when one of the
    /// pool's threads removes the socket from its epoll set at the same moment.
    func stopAccepting() { connectionRegistry.stopAccepting() }

    /// Stops waiting for responses: the pending ones become 503.
    func abortResponses() {
        for connection in connectionRegistry.connections { connection.abortResponse() }
    }

    /// Stops the daemon; once. Blocks until libmicrohttpd's threads have ended.
    func stop() {
        stopAccepting()
        // From here on no connection is suspended, as `MHD_stop_daemon` requires.
        abortResponses()
        guard let stopped = handle.withLock({ $0.take() }) else { return }
        stopped.timer.cancel()
        MHD_stop_daemon(stopped.daemon)
    }

    /// `stop`, without blocking the caller.
    func stopAndWait() async {
        await withCheckedContinuation { continuation in
            queue.async { [self] in
                stop()
                continuation.resume()
            }
        }
    }

    /// `stop`, asynchronously; for callers that cannot wait.
    func scheduleStop() { queue.async { [self] in stop() } }

    /// Returns after that time even if the task is canceled.
    func sleep(milliseconds: Int) async {
        await withCheckedContinuation { continuation in
            queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
                continuation.resume()
            }
        }
    }
}
