import CCurl
import Glibc
import Synchronization
import Web

/// The thread that runs libcurl's multi handle, and its inbox.
///
/// Tasks access only the inbox. The multi handle and every easy handle belong to the thread, with
/// the exception of `curl_multi_wakeup`, which "can be called from any thread". It is called
/// without the inbox's lock, which the woken thread takes immediately; `wakerCount` keeps the
/// handle open meanwhile.
final class TransferLoop: Sendable {
    private let configuration: ClientConfiguration
    private let inbox = Mutex(Inbox())
    private let multi: MultiHandle
    /// Callers that are about to wake the thread.
    private let wakerCount = Atomic(0)

    /// Once per process, before the first handle.
    private static let isLibraryReady = foyer_curl_global_init() == CURLE_OK

    init(_ configuration: ClientConfiguration) throws(TransportFailure) {
        guard Self.isLibraryReady,
            let multi = MultiHandle(idleConnectionLimit: configuration.idleConnectionLimit)
        else { throw TransportFailure(.connection, "libcurl cannot be started.") }
        self.configuration = configuration
        self.multi = multi
        try startThread()
    }

    /// Always calls the transfer's `onCompletion`: on the thread, or immediately if it does not
    /// start.
    func start(_ transfer: Transfer) {
        let failure = updateInbox { $0.admit(transfer, limit: configuration.transferLimit) }
        if let failure { transfer.finish(ExchangeResult(outcome: .failed(failure))) }
    }

    /// Ends the transfer; a finished one is unaffected.
    func cancel(_ transfer: Transfer) {
        transfer.isCancelled.store(true, ordering: .relaxed)
        updateInbox { inbox in if inbox.state == .open { inbox.cancelled.append(transfer) } }
    }

    /// Resumes a transfer that waited for space or data.
    func resume(_ transfer: Transfer) {
        updateInbox { inbox in if inbox.state == .open { inbox.resumed.append(transfer) } }
    }

    /// Ends every transfer, then the thread.
    func close(onClosed: @escaping @Sendable () -> Void) {
        let isClosed = updateInbox { inbox in
            guard inbox.state != .closed else { return true }
            inbox.onClosed.append(onClosed)
            inbox.state = .closing
            return false
        }
        if isClosed { onClosed() }
    }

    /// Updates the inbox, and wakes the thread only if it is waiting and has work: waking costs a
    /// system call.
    private func updateInbox<Result>(_ update: (inout Inbox) -> Result) -> Result {
        let (result, wakes) = inbox.withLock { inbox in
            let result = update(&inbox)
            let wakes = inbox.isThreadWaiting && !inbox.isEmpty
            if wakes {
                inbox.isThreadWaiting = false
                wakerCount.add(1, ordering: .relaxed)
            }
            return (result, wakes)
        }
        if wakes {
            multi.wake()
            wakerCount.subtract(1, ordering: .releasing)
        }
        return result
    }

    // MARK: The thread

    private func startThread() throws(TransportFailure) {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(self)
        let code = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<TransferLoop>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, context.toOpaque())
        guard code == 0 else {
            context.release()
            throw TransportFailure(.connection, "No thread is available for libcurl.")
        }
        pthread_detach(thread)
    }

    private func run() {
        // The main thread handles signals. SIGPIPE would be delivered to this thread, because
        // libcurl does not suppress it with CURLOPT_NOSIGNAL.
        var allSignals = sigset_t()
        sigfillset(&allSignals)
        pthread_sigmask(SIG_BLOCK, &allSignals, nil)

        var pool = TransferPool(multi)
        while true {
            let (started, cancelled, resumed, isClosing) = inbox.withLock { inbox in
                inbox.isThreadWaiting = false
                defer { (inbox.started, inbox.cancelled, inbox.resumed) = ([], [], []) }
                return (inbox.started, inbox.cancelled, inbox.resumed, inbox.state == .closing)
            }
            if isClosing {
                pool.cancelAll(started)
                break
            }
            pool.begin(started)
            pool.cancel(cancelled)
            pool.resume(resumed)
            let finished = pool.perform()
            let maySleep = inbox.withLock { inbox in
                for (transfer, _) in finished { inbox.remove(transfer) }
                inbox.isThreadWaiting = inbox.isEmpty
                return inbox.isThreadWaiting
            }
            // A completion handler may start another transfer: the finished ones no longer count.
            for (transfer, result) in finished { transfer.finish(result) }
            if maySleep { multi.wait() }
        }
        let closeHandlers = inbox.withLock { inbox in
            inbox.state = .closed
            inbox.isThreadWaiting = false
            defer { inbox.onClosed = [] }
            return inbox.onClosed
        }
        // No caller wakes a closed loop, so its connections can be closed.
        while wakerCount.load(ordering: .acquiring) > 0 { sched_yield() }
        multi.close()
        for handler in closeHandlers { handler() }
    }
}

/// Requests of tasks to the transfer loop's thread, queued until it reads them.
struct Inbox {
    enum State { case open, closing, closed }

    var state = State.open
    var started: [Transfer] = []
    var cancelled: [Transfer] = []
    /// Paused transfers that have space or data again.
    var resumed: [Transfer] = []
    /// Started and not yet finished, including those in `started`.
    var activeCount = 0
    /// Those of `activeCount` that are streamed.
    var streamCount = 0
    /// Called when the thread has ended.
    var onClosed: [@Sendable () -> Void] = []
    /// Whether the thread waits for sockets and must be woken.
    var isThreadWaiting = false

    var isEmpty: Bool { started.isEmpty && cancelled.isEmpty && resumed.isEmpty && state == .open }

    /// Adds a transfer to start; returns why it may not. Streaming transfers may last indefinitely,
    /// so a quarter of the limit is reserved for the others.
    mutating func admit(_ transfer: Transfer, limit: Int) -> TransportFailure? {
        guard state == .open else { return TransportFailure(.cancelled, "The client is closed.") }
        let isStream = transfer.buffer != nil
        let streamLimit = max(limit * 3 / 4, 1)
        let isFull = activeCount >= limit
        guard !isFull, !isStream || streamCount < streamLimit else {
            let count = isFull ? limit : streamLimit
            return TransportFailure(.connection, "\(count) requests are already in progress.")
        }
        activeCount += 1
        if isStream { streamCount += 1 }
        started.append(transfer)
        return nil
    }

    mutating func remove(_ transfer: Transfer) {
        activeCount -= 1
        if transfer.buffer != nil { streamCount -= 1 }
    }
}
