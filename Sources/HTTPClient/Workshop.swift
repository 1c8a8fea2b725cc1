import CCurl
import Synchronization
import Web

/// The transfers under way and the handles at rest. The engine's thread owns
/// it alone.
struct Workshop {
    private let multi: MultiHandle
    private var running: [ObjectIdentifier: Transfer] = [:]
    private var idle: [EasyHandle] = []
    /// Whose head is there and nobody knows.
    private let headed = Headed()
    /// Done, and not told yet.
    private var ended: [Ended] = []
    /// Handles kept; each holds some KB of buffers.
    private static let kept = 128

    typealias Ended = (transfer: Transfer, delivery: Delivery)

    init(_ multi: MultiHandle) { self.multi = multi }

    /// What callbacks, which know a transfer alone, leave for the workshop.
    private final class Headed { var transfers: [Transfer] = [] }

    mutating func begin(_ transfers: [Transfer]) {
        for transfer in transfers {
            guard !transfer.isCancelled.load(ordering: .relaxed) else {
                end(transfer, Self.cancelled)
                continue
            }
            guard let handle = idle.popLast() ?? EasyHandle() else {
                end(transfer, Self.noMemory)
                continue
            }
            handle.prepare(transfer)
            if transfer.flow != nil {
                transfer.whenHeaded = { [headed, unowned transfer] in
                    headed.transfers.append(transfer)
                }
            }
            guard multi.add(handle) else {
                end(transfer, Self.noMemory)
                continue
            }
            transfer.handle = handle
            running[ObjectIdentifier(transfer)] = transfer
        }
    }

    /// Those that are done already, or never began, are not here.
    mutating func cancel(_ transfers: [Transfer]) {
        for transfer in transfers where running[ObjectIdentifier(transfer)] === transfer {
            takeBack(transfer)
            end(transfer, Self.cancelled)
        }
    }

    /// Goes on with those that are still under way.
    func resume(_ transfers: [Transfer]) {
        for transfer in transfers where running[ObjectIdentifier(transfer)] === transfer {
            transfer.handle?.goOn()
        }
    }

    /// Tells of heads whose bodies are still on their way: an answer that
    /// came in one go is told of once.
    private func open() {
        for transfer in headed.transfers {
            guard let handle = transfer.handle else { continue }
            let delivery = Outcome.head(transfer, handle)
            transfer.whenOpened(delivery)
        }
        headed.transfers.removeAll(keepingCapacity: true)
    }

    /// Moves everything on. Those that ended since the last call, however
    /// they did; nobody has been told of them.
    mutating func perform() -> [Ended] {
        var done: [(Transfer, CURLcode)] = []
        if !running.isEmpty { multi.perform { done.append(($0, $1)) } }
        for (transfer, code) in done {
            guard let handle = transfer.handle else { continue }
            if code == CURLE_ABORTED_BY_CALLBACK, again(transfer, handle) { continue }
            let delivery = Outcome.delivery(transfer, handle, code)
            takeBack(transfer)
            end(transfer, delivery)
        }
        open()
        defer { ended = [] }
        return ended
    }

    /// Starts over if only the kept connection was at fault. False if not.
    private func again(_ transfer: Transfer, _ handle: EasyHandle) -> Bool {
        guard transfer.needsNewConnection, transfer.leftAt == nil else { return false }
        multi.remove(handle)
        handle.avoidKeptConnections()
        return multi.add(handle)
    }

    /// Ends all, those that have not begun included.
    mutating func abandon(_ waiting: [Transfer]) {
        let all = Array(running.values)
        for transfer in all { takeBack(transfer) }
        for transfer in all + waiting { transfer.finish(Self.cancelled) }
        idle = []
    }

    private mutating func takeBack(_ transfer: Transfer) {
        guard let handle = transfer.handle else { return }
        multi.remove(handle)
        handle.reset()
        if idle.count < Self.kept { idle.append(handle) }
        transfer.handle = nil
        running[ObjectIdentifier(transfer)] = nil
    }

    private mutating func end(_ transfer: Transfer, _ delivery: Delivery) {
        ended.append((transfer, delivery))
    }

    private static let cancelled = Delivery(
        outcome: .failed(
            TransportFailure(kind: .cancelled, detail: "Whoever asked no longer waits.")))

    private static let noMemory = Delivery(
        outcome: .failed(
            TransportFailure(kind: .connection, detail: "There is no memory for another request.")))
}
