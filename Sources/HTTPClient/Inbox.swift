/// What tasks ask of the engine's thread, until it looks.
struct Inbox {
    enum State { case open, closing, closed }

    var state = State.open
    var started: [Transfer] = []
    var cancelled: [Transfer] = []
    /// Something they waited for is there.
    var resumed: [Transfer] = []
    /// Started and not yet done, those in `arrived` included.
    var activeCount = TransferCount()
    /// Called when the thread has ended.
    var onClosed: [@Sendable () -> Void] = []
    /// Whether the thread waits for sockets and must be woken.
    var isThreadWaiting = false

    var isEmpty: Bool { started.isEmpty && cancelled.isEmpty && resumed.isEmpty && state == .open }

    /// Transfers, and how many of them hand their answer on as it comes.
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

    /// What starting a transfer leads to; `full` says how many there are.
    enum Admission {
        case admitted
        case full(Int)
        case closed
    }

    /// What is opened may last as long as it likes, so a quarter of the
    /// places is kept for what comes to its end.
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
