/// Requests of tasks to the transfer loop's thread, queued until it reads them.
struct Inbox {
    enum State { case open, closing, closed }

    var state = State.open
    var started: [Transfer] = []
    var cancelled: [Transfer] = []
    /// Paused transfers that have space or data again.
    var resumed: [Transfer] = []
    /// Started and not yet finished, including those in `started`.
    var activeCount = TransferCount()
    /// Called when the thread has ended.
    var onClosed: [@Sendable () -> Void] = []
    /// Whether the thread waits for sockets and must be woken.
    var isThreadWaiting = false

    var isEmpty: Bool { started.isEmpty && cancelled.isEmpty && resumed.isEmpty && state == .open }

    /// Numbers of all transfers and of the streaming ones.
    struct TransferCount {
        var all = 0
        var streaming = 0

        mutating func add(_ transfer: Transfer) {
            all += 1
            if transfer.buffer != nil { streaming += 1 }
        }

        mutating func remove(_ transfer: Transfer) {
            all -= 1
            if transfer.buffer != nil { streaming -= 1 }
        }
    }

    /// Result of starting a transfer; `full` carries the limit.
    enum Admission {
        case admitted
        case full(Int)
        case closed
    }

    /// Streaming transfers may last indefinitely, so a quarter of the limit is reserved for the
    /// others.
    mutating func admit(_ transfer: Transfer, limit: Int) -> Admission {
        guard state == .open else { return .closed }
        guard activeCount.all < limit else { return .full(limit) }
        let openLimit = max(limit * 3 / 4, 1)
        guard transfer.buffer == nil || activeCount.streaming < openLimit else {
            return .full(openLimit)
        }
        activeCount.add(transfer)
        started.append(transfer)
        return .admitted
    }
}
