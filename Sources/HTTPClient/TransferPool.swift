import CCurl
import Synchronization
import Web

/// The transfers under way and the handles at rest. The engine's thread owns
/// it alone.
struct TransferPool {
    private let multi: MultiHandle
    private var running: [ObjectIdentifier: Transfer] = [:]
    private var idleHandles: [EasyHandle] = []
    /// Whose head is there and nobody knows.
    private let pendingHeads = PendingHeads()
    /// Done, and not told yet.
    private var finished: [FinishedTransfer] = []
    /// Handles kept; each holds some KB of buffers.
    private static let idleHandleLimit = 128

    typealias FinishedTransfer = (transfer: Transfer, delivery: ExchangeResult)

    init(_ multi: MultiHandle) { self.multi = multi }

    /// What callbacks, which know a transfer alone, leave for the workshop.
    private final class PendingHeads { var transfers: [Transfer] = [] }

    mutating func begin(_ transfers: [Transfer]) {
        for transfer in transfers {
            guard !transfer.isCancelled.load(ordering: .relaxed) else {
                markFinished(transfer, Self.cancelled)
                continue
            }
            guard let handle = idleHandles.popLast() ?? EasyHandle() else {
                markFinished(transfer, Self.outOfMemory)
                continue
            }
            handle.prepare(transfer)
            if transfer.buffer != nil {
                transfer.onHeaders = { [headed = pendingHeads, unowned transfer] in
                    headed.transfers.append(transfer)
                }
            }
            guard multi.add(handle) else {
                markFinished(transfer, Self.outOfMemory)
                continue
            }
            transfer.handle = handle
            running[ObjectIdentifier(transfer)] = transfer
        }
    }

    /// Those that are done already, or never began, are not here.
    mutating func cancel(_ transfers: [Transfer]) {
        for transfer in transfers where running[ObjectIdentifier(transfer)] === transfer {
            releaseHandle(transfer)
            markFinished(transfer, Self.cancelled)
        }
    }

    /// Goes on with those that are still under way.
    func resume(_ transfers: [Transfer]) {
        for transfer in transfers where running[ObjectIdentifier(transfer)] === transfer {
            transfer.handle?.resume()
        }
    }

    /// Tells of heads whose bodies are still on their way: an answer that
    /// came in one go is told of once.
    private func deliverHeads() {
        for transfer in pendingHeads.transfers {
            guard let handle = transfer.handle else { continue }
            let result = CurlResult.head(transfer, handle)
            transfer.onOpened(result)
        }
        pendingHeads.transfers.removeAll(keepingCapacity: true)
    }

    /// Moves everything on. Those that ended since the last call, however
    /// they did; nobody has been told of them.
    mutating func perform() -> [FinishedTransfer] {
        var done: [(Transfer, CURLcode)] = []
        if !running.isEmpty { multi.perform { done.append(($0, $1)) } }
        for (transfer, code) in done {
            guard let handle = transfer.handle else { continue }
            if code == CURLE_ABORTED_BY_CALLBACK, retryOnNewConnection(transfer, handle) {
                continue
            }
            let result = CurlResult.exchangeResult(transfer, handle, code)
            releaseHandle(transfer)
            markFinished(transfer, result)
        }
        deliverHeads()
        defer { finished = [] }
        return finished
    }

    /// Starts over if only the kept connection was at fault. False if not.
    private func retryOnNewConnection(_ transfer: Transfer, _ handle: EasyHandle) -> Bool {
        guard transfer.needsNewConnection, transfer.sentAt == nil else { return false }
        multi.remove(handle)
        handle.forceNewConnection()
        return multi.add(handle)
    }

    /// Ends all, those that have not begun included.
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

    private mutating func markFinished(_ transfer: Transfer, _ result: ExchangeResult) {
        finished.append((transfer, result))
    }

    private static let cancelled = ExchangeResult(
        outcome: .failed(
            TransportFailure(kind: .cancelled, detail: "Whoever asked no longer waits.")))

    private static let outOfMemory = ExchangeResult(
        outcome: .failed(
            TransportFailure(kind: .connection, detail: "There is no memory for another request.")))
}
