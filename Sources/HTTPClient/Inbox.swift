/// What tasks ask of the engine's thread, until it looks.
struct Inbox {
    enum State { case open, closing, closed }

    var state = State.open
    var arrived: [Transfer] = []
    var cancelled: [Transfer] = []
    /// Something they waited for is there.
    var resumed: [Transfer] = []
    /// Started and not yet done, those in `arrived` included.
    var underWay = 0
    /// Called when the thread has ended.
    var whenClosed: [@Sendable () -> Void] = []
    /// Whether the thread waits for sockets and must be woken.
    var isAsleep = false

    var isEmpty: Bool {
        arrived.isEmpty && cancelled.isEmpty && resumed.isEmpty
            && state == .open
    }

    /// What starting a transfer leads to.
    enum Admission { case admitted, full, closed }

    mutating func admit(_ transfer: Transfer, limit: Int) -> Admission {
        guard state == .open else { return .closed }
        guard underWay < limit else { return .full }
        underWay += 1
        arrived.append(transfer)
        return .admitted
    }
}
