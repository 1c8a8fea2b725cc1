import CMicrohttpd
import Core
import Dispatch
import Glibc
import Synchronization
import Web

/// Owns the libmicrohttpd daemon: starts it, checks deadlines for it, stops it.
///
/// Only `stop` may block, on `queue`.
final class Daemon: Sendable {
    let configuration: ServerConfiguration
    let responder: Responder
    let connectionRegistry: ConnectionRegistry
    let largeBodyPermits: UsageLimit
    let port: UInt16
    private let queue = DispatchQueue(label: "foyer.http-server")
    private let handle = Mutex<DaemonHandle?>(nil)

    /// `@unchecked Sendable`: libmicrohttpd and Dispatch allow calls on these from any thread;
    /// `handle` ensures that the last one happens once.
    private struct DaemonHandle: @unchecked Sendable {
        let daemon: OpaquePointer
        let timer: any DispatchSourceTimer
    }

    init(
        _ listener: consuming ListeningSocket, _ configuration: ServerConfiguration,
        responder: @escaping Responder
    ) throws(ServerError) {
        DescriptorLimit.raise()
        self.configuration = configuration
        self.responder = responder
        port = listener.port
        connectionRegistry = ConnectionRegistry(
            connectionLimit: configuration.connectionLimit,
            evictionGracePeriod: configuration.evictionGracePeriod)
        largeBodyPermits = UsageLimit(configuration.concurrentLargeBodies)
        guard let daemon = start(on: listener.descriptor) else {
            throw ServerError(
                kind: .libraryFailure, detail: "libmicrohttpd did not start; see its log line")
        }
        listener.handOver()
        let started = DaemonHandle(daemon: daemon, timer: startTimer())
        handle.withLock { $0 = started }
    }

    /// One more than there are processors: each connection stays on one thread, and a processor
    /// would be idle when the connections with requests are on the same one. At most 8, since the
    /// threads share the descriptors and the limit of connections.
    private static let threadCount = min(sysconf(Int32(_SC_NPROCESSORS_ONLN)) + 1, 8)

    private func start(on socket: Int32) -> OpaquePointer? {
        let context = Unmanaged.passUnretained(self).toOpaque()
        var options = DaemonOptions()
        // First, so that complaints about the other options are logged.
        options.add(
            .EXTERNAL_LOGGER, unsafeBitCast(libraryLogged as MHD_LogCallback, to: Int.self), context
        )
        options.add(.LISTEN_SOCKET, Int(socket))
        options.add(.THREAD_POOL_SIZE, Self.threadCount)
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
            unsafeBitCast(requestBegan as DaemonOptions.RequestBeganCallback, to: Int.self), context
        )
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
            configuration.heartbeatInterval, configuration.uploadDrainDeadline, .seconds(4))
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

/// The limit on open files and sockets of this process.
package enum DescriptorLimit {
    /// Raises the limit to the system's maximum and returns it. The usual default, 1024, is below
    /// the server's number of connections.
    @discardableResult package static func raise() -> Int {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0 else { return 1_024 }
        let previous = limit.rlim_cur
        limit.rlim_cur = limit.rlim_max
        if previous < limit.rlim_max, setrlimit(resource, &limit) != 0 { limit.rlim_cur = previous }
        return Int(clamping: limit.rlim_cur)
    }
}

/// The list of options a daemon starts with.
struct DaemonOptions {
    // libmicrohttpd's header has no name for these two.
    typealias RequestBeganCallback =
        @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) ->
        UnsafeMutableRawPointer?
    typealias UnescapeCallback =
        @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<CChar>?) ->
        Int

    private var items: [MHD_OptionItem] = []

    /// A callback is passed as `value`, its context as `pointer`.
    mutating func add(_ option: MHD_OPTION, _ value: Int, _ pointer: UnsafeMutableRawPointer? = nil)
    { items.append(MHD_OptionItem(option: option, value: value, ptr_value: pointer)) }

    /// Lends the list, with the terminator that libmicrohttpd requires.
    func withArray<R>(_ body: (UnsafeMutablePointer<MHD_OptionItem>?) -> R) -> R {
        var terminatedItems = items
        terminatedItems.append(MHD_OptionItem(option: .END, value: 0, ptr_value: nil))
        return terminatedItems.withUnsafeMutableBufferPointer { body($0.baseAddress) }
    }
}
