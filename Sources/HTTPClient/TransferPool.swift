import CCurl
import Synchronization
import Web

/// Running transfers and idle easy handles, accessed only by the transfer loop's thread.
struct TransferPool {
    private let multi: MultiHandle
    private var running: [ObjectIdentifier: Transfer] = [:]
    private var idleHandles: [EasyHandle] = []
    /// Transfers whose head is complete but not yet delivered.
    private let pendingHeads = PendingHeads()
    /// Finished, but not yet reported.
    private var finished: [FinishedTransfer] = []
    /// Idle handles that are retained; each holds some KB of buffers.
    private static let idleHandleLimit = 128

    typealias FinishedTransfer = (transfer: Transfer, delivery: ExchangeResult)

    init(_ multi: MultiHandle) { self.multi = multi }

    /// Shared with the callbacks, which have only a transfer.
    private final class PendingHeads { var transfers: [Transfer] = [] }

    mutating func begin(_ transfers: [Transfer]) {
        for transfer in transfers {
            guard !transfer.isCancelled.load(ordering: .relaxed) else {
                finished.append((transfer, Self.cancelled))
                continue
            }
            guard let handle = idleHandles.popLast() ?? EasyHandle() else {
                finished.append((transfer, Self.outOfMemory))
                continue
            }
            handle.prepare(transfer)
            if transfer.buffer != nil {
                transfer.onHeaders = { [pendingHeads = pendingHeads, unowned transfer] in
                    pendingHeads.transfers.append(transfer)
                }
            }
            guard multi.add(handle) else {
                finished.append((transfer, Self.outOfMemory))
                continue
            }
            transfer.handle = handle
            running[ObjectIdentifier(transfer)] = transfer
        }
    }

    /// Cancels running transfers; those that are finished or never started are ignored.
    mutating func cancel(_ transfers: [Transfer]) {
        for transfer in transfers where running[ObjectIdentifier(transfer)] === transfer {
            releaseHandle(transfer)
            finished.append((transfer, Self.cancelled))
        }
    }

    /// Resumes those that are still running.
    func resume(_ transfers: [Transfer]) {
        for transfer in transfers where running[ObjectIdentifier(transfer)] === transfer {
            transfer.handle?.resume()
        }
    }

    /// Delivers heads whose bodies are still being received; a response that arrived completely is
    /// delivered once.
    private func deliverHeads() {
        for transfer in pendingHeads.transfers {
            guard let handle = transfer.handle else { continue }
            transfer.onOpened(CurlResult(transfer: transfer, handle: handle).head())
        }
        pendingHeads.transfers.removeAll(keepingCapacity: true)
    }

    /// Advances all transfers. Returns those that ended since the last call and have not been
    /// reported.
    mutating func perform() -> [FinishedTransfer] {
        for (transfer, code) in running.isEmpty ? [] : multi.perform() {
            guard let handle = transfer.handle else { continue }
            if code == CURLE_ABORTED_BY_CALLBACK, retryOnNewConnection(transfer, handle) {
                continue
            }
            let result = CurlResult(transfer: transfer, handle: handle).ended(code)
            releaseHandle(transfer)
            finished.append((transfer, result))
        }
        deliverHeads()
        defer { finished = [] }
        return finished
    }

    /// Retries if only the reused connection failed; returns whether it does.
    private func retryOnNewConnection(_ transfer: Transfer, _ handle: EasyHandle) -> Bool {
        guard transfer.needsNewConnection, transfer.sentAt == nil else { return false }
        multi.remove(handle)
        handle.forceNewConnection()
        return multi.add(handle)
    }

    /// Ends all transfers, including those that have not started.
    mutating func cancelAll(_ waiting: [Transfer]) {
        let all = Array(running.values)
        for transfer in all { releaseHandle(transfer) }
        for transfer in all + waiting { transfer.finish(Self.cancelled) }
        idleHandles = []
    }

    private mutating func releaseHandle(_ transfer: Transfer) {
        guard let handle = transfer.handle else { return }
        multi.remove(handle)
        handle.reset()
        if idleHandles.count < Self.idleHandleLimit { idleHandles.append(handle) }
        transfer.handle = nil
        running[ObjectIdentifier(transfer)] = nil
    }

    private static let cancelled = ExchangeResult(
        outcome: .failed(TransportFailure(.cancelled, "The caller cancelled the request.")))

    private static let outOfMemory = ExchangeResult(
        outcome: .failed(TransportFailure(.connection, "Out of memory for another request.")))
}

/// Owns libcurl's multi handle: its connections and the wait for them.
///
/// `@unchecked Sendable`: everything but `wake` is called only on the transfer loop's thread, and
/// `wake` only by callers that the thread waits for before it closes.
final class MultiHandle: @unchecked Sendable {
    private let pointer: UnsafeMutableRawPointer
    private var isOpen = true

    /// `idleConnectionLimit` connections stay open between requests.
    init?(idleConnectionLimit: Int) {
        guard let handle = curl_multi_init() else { return nil }
        pointer = handle
        _ = foyer_curl_multi_set_long(handle, CURLMOPT_MAXCONNECTS, idleConnectionLimit)
    }

    deinit { close() }

    /// Closes every connection. It must contain no easy handle.
    func close() {
        if isOpen { curl_multi_cleanup(pointer) }
        isOpen = false
    }

    func wake() { curl_multi_wakeup(pointer) }

    /// Waits until a socket is ready, a timeout expires or `wake` is called.
    func wait() { curl_multi_poll(pointer, nil, 0, 60_000, nil) }

    /// False if libcurl rejects it.
    func add(_ handle: EasyHandle) -> Bool {
        curl_multi_add_handle(pointer, handle.pointer) == CURLM_OK
    }

    func remove(_ handle: EasyHandle) { curl_multi_remove_handle(pointer, handle.pointer) }

    /// Reads, writes and calls the callbacks; returns the finished transfers.
    func perform() -> [(Transfer, CURLcode)] {
        var finished: [(Transfer, CURLcode)] = []
        var running: Int32 = 0
        curl_multi_perform(pointer, &running)
        var remaining: Int32 = 0
        while let message = curl_multi_info_read(pointer, &remaining) {
            guard message.pointee.msg == CURLMSG_DONE else { continue }
            let code = message.pointee.data.result
            var context: UnsafeMutableRawPointer?
            foyer_curl_get_private(message.pointee.easy_handle, &context)
            finished.append((transfer(context), code))
        }
        return finished
    }
}
