import CCurl
import Glibc
import Synchronization
import Web

/// The thread that libcurl's multi handle lives on, and its inbox.
///
/// Tasks only ever touch the inbox. The multi handle and every easy handle
/// belong to the thread; the one exception is `curl_multi_wakeup`, which
/// "can be called from any thread". It is called without the inbox's lock,
/// which the woken thread takes at once; `wakers` keeps the handle meanwhile.
final class TransferLoop: Sendable {
    private let configuration: ClientConfiguration
    private let inbox = Mutex(Inbox())
    private let multi: MultiHandle
    /// Those about to wake the thread.
    private let wakerCount = Atomic(0)

    /// Once per process, before the first handle.
    private static let isLibraryReady = foyer_curl_global_init() == CURLE_OK

    init(_ configuration: ClientConfiguration) throws(TransportFailure) {
        guard Self.isLibraryReady,
            let multi = MultiHandle(idleConnectionLimit: configuration.idleConnectionLimit)
        else {
            throw TransportFailure(kind: .connection, detail: "libcurl cannot be started.")
        }
        self.configuration = configuration
        self.multi = multi
        try startThread()
    }

    /// Calls the transfer's `whenDone`, whatever happens: on the thread, or
    /// at once if it does not even begin.
    func start(_ transfer: Transfer) {
        let admission = updateInbox { inbox in
            inbox.admit(transfer, limit: configuration.transferLimit)
        }
        switch admission {
        case .admitted: break
        case .full(let limit):
            fail(transfer, .connection, "\(limit) requests are under way already.")
        case .closed: fail(transfer, .cancelled, "The client is closed.")
        }
    }

    /// Ends the transfer; one that is done already stays as it is.
    func cancel(_ transfer: Transfer) {
        transfer.isCancelled.store(true, ordering: .relaxed)
        updateInbox { inbox in if inbox.state == .open { inbox.cancelled.append(transfer) } }
    }

    /// Goes on with a transfer that waited for room or for bytes.
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

    /// Puts something into the inbox, and wakes the thread if it sleeps and
    /// has to look: waking costs a system call.
    private func updateInbox<Result>(_ put: (inout Inbox) -> Result) -> Result {
        let (result, wakes) = inbox.withLock { inbox in
            let result = put(&inbox)
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

    private func fail(_ transfer: Transfer, _ kind: TransportFailure.Kind, _ detail: String) {
        transfer.finish(
            ExchangeResult(outcome: .failed(TransportFailure(kind: kind, detail: detail))))
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
            throw TransportFailure(kind: .connection, detail: "There is no thread for libcurl.")
        }
        pthread_detach(thread)
    }

    private func run() {
        // Signals are the main thread's; SIGPIPE would be ours, because
        // libcurl leaves it alone with CURLOPT_NOSIGNAL.
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, nil)

        var work = TransferPool(multi)
        while true {
            let (arrived, cancelled, resumed, isClosing) = inbox.withLock { inbox in
                inbox.isThreadWaiting = false
                defer {
                    inbox.started.removeAll(keepingCapacity: true)
                    inbox.cancelled.removeAll(keepingCapacity: true)
                    inbox.resumed.removeAll(keepingCapacity: true)
                }
                return (inbox.started, inbox.cancelled, inbox.resumed, inbox.state == .closing)
            }
            if isClosing {
                work.cancelAll(arrived)
                break
            }
            work.begin(arrived)
            work.cancel(cancelled)
            work.resume(resumed)
            let ended = work.perform()
            let maySleep = inbox.withLock { inbox in
                for (transfer, _) in ended { inbox.activeCount.remove(transfer) }
                inbox.isThreadWaiting = inbox.isEmpty
                return inbox.isThreadWaiting
            }
            // Whoever is told may ask again: their places are free by now.
            for (transfer, result) in ended { transfer.finish(result) }
            if maySleep { multi.wait() }
        }
        let whenClosed = inbox.withLock { inbox in
            inbox.state = .closed
            inbox.isThreadWaiting = false
            defer { inbox.onClosed = [] }
            return inbox.onClosed
        }
        // Nobody wakes a closed engine, so its connections can go.
        while wakerCount.load(ordering: .acquiring) > 0 { sched_yield() }
        multi.close()
        for tell in whenClosed { tell() }
    }
}
