import CMicrohttpd
import Dispatch
import Synchronization
import Web

/// Owns the daemon: starts it, watches the time for it, stops it.
///
/// May block only in `stop`, on `queue`.
final class Engine: Sendable {
    let configuration: ServerConfiguration
    let responder: Responder
    let ledger: Ledger
    let filePlaces: FilePlaces
    let port: UInt16
    private let queue = DispatchQueue(label: "foyer.http-server")
    private let running = Mutex<Running?>(nil)

    /// `@unchecked Sendable`: libmicrohttpd and Dispatch take calls about
    /// these from any thread; `running` sees to it that the last comes once.
    private struct Running: @unchecked Sendable {
        let daemon: OpaquePointer
        let timer: any DispatchSourceTimer
    }

    init(_ configuration: ServerConfiguration, responder: @escaping Responder) throws(ServerError) {
        DescriptorLimit.raise()
        let listener = try ListeningSocket(address: configuration.address, port: configuration.port)
        self.configuration = configuration
        self.responder = responder
        port = listener.port
        ledger = Ledger(
            connectionLimit: configuration.connectionLimit, freshness: configuration.freshness)
        filePlaces = FilePlaces(most: configuration.filesAtOnce)
        guard let daemon = start(on: listener.descriptor) else {
            throw ServerError(
                kind: .library, detail: "libmicrohttpd did not start; its log says why")
        }
        listener.handOver()
        let started = Running(daemon: daemon, timer: watch())
        running.withLock { $0 = started }
    }

    private func start(on socket: Int32) -> OpaquePointer? {
        let context = Unmanaged.passUnretained(self).toOpaque()
        var options = Options()
        // First, so that complaints about the others have somewhere to go.
        options.add(
            .EXTERNAL_LOGGER, unsafeBitCast(complained as MHD_LogCallback, to: Int.self), context)
        options.add(.LISTEN_SOCKET, Int(socket))
        options.add(.THREAD_POOL_SIZE, 2)
        // Before 0.9.77 it refuses little more with it than without, and
        // sends the head of such a refusal twice: we do that ourselves.
        options.add(.STRICT_FOR_CLIENT, HeaderBlock.isNeeded ? 0 : 1)
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
            .URI_LOG_CALLBACK, unsafeBitCast(requestBegan as Options.RequestBegan, to: Int.self),
            context)
        options.add(
            .UNESCAPE_CALLBACK, unsafeBitCast(leaveEscaped as Options.Unescape, to: Int.self),
            context)
        return options.withArray { array in
            foyer_mhd_start(foyer_mhd_flags, requestArrived, context, array)
        }
    }

    /// The shortest of our own times is checked four times over.
    private func watch() -> any DispatchSourceTimer {
        let shortest = min(
            configuration.requestDeadline, configuration.streamPatience, configuration.heartbeat,
            configuration.answeredDeadline, .seconds(4))
        let (seconds, attoseconds) = (shortest / 4).components
        let step = max(10, Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + .milliseconds(step), repeating: .milliseconds(step))
        timer.setEventHandler { [weak self] in
            guard let self else { return }
            let now = ContinuousClock.now
            for visitor in ledger.visitors { visitor.tick(now) }
            ledger.thin(now)
        }
        timer.activate()
        return timer
    }

    /// Answers new requests with 503, of new clients too.
    ///
    /// The listening socket stays open: `MHD_quiesce_daemon` ends the process
    /// when one of the pool's threads takes the socket out of its epoll set at
    /// the same moment.
    func close() { ledger.close() }

    /// Waits for no answer any longer: those under way become 503.
    func abandon() { for visitor in ledger.visitors { visitor.abandon() } }

    /// Ends everything; once. Blocks until libmicrohttpd's threads are gone.
    func stop() {
        close()
        // Nobody is suspended from here on, which `MHD_stop_daemon` demands.
        abandon()
        guard let stopped = running.withLock({ $0.take() }) else { return }
        stopped.timer.cancel()
        MHD_stop_daemon(stopped.daemon)
    }

    /// `stop`, without blocking the caller.
    func stopped() async {
        await withCheckedContinuation { continuation in
            queue.async { [self] in
                stop()
                continuation.resume()
            }
        }
    }

    /// `stop`, at some time; for who cannot wait.
    func stopLater() { queue.async { [self] in stop() } }

    /// Returns after that time, whatever happens to the task.
    func pause(milliseconds: Int) async {
        await withCheckedContinuation { continuation in
            queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
                continuation.resume()
            }
        }
    }
}
