import Synchronization

/// Who is connected, and how many of them hold a stream.
final class Ledger: Sendable {
    private let streamLimit: Int
    /// From so many on, whoever comes takes the place of one that waits.
    private let crowd: Int
    /// Whoever was silent for less stays.
    private let freshness: Duration
    private let state = Mutex(State())

    private struct State {
        var visitors: [ObjectIdentifier: Visitor] = [:]
        var streams = 0
        var isClosing = false
    }

    /// A quarter of the connections is kept for pages, and an eighth for
    /// those who come.
    init(connectionLimit: Int, freshness: Duration) {
        self.freshness = freshness
        streamLimit = connectionLimit * 3 / 4
        crowd = connectionLimit * 7 / 8
    }

    var visitors: [Visitor] { state.withLock { Array($0.visitors.values) } }

    /// Whether any answer is still on its way.
    var isBusy: Bool { visitors.contains { $0.isBusy } }

    /// Lets somebody in. In a crowd another has to go: of those who have
    /// nothing under way, whoever was silent longest.
    func add(_ visitor: Visitor) {
        let (isClosing, others) = state.withLock { state in
            let others = state.visitors.count >= crowd ? Array(state.visitors.values) : []
            state.visitors[ObjectIdentifier(visitor)] = visitor
            return (state.isClosing, others)
        }
        if isClosing { visitor.close() }
        sendAway(1, of: others, at: .now)
    }

    /// Once in a while: those who were too fresh to have to go when others
    /// came do so now. Who waits to be let in is not seen here, and may be
    /// many: half the connections are made free.
    func thin(_ now: ContinuousClock.Instant) {
        let visitors = state.withLock { state in
            state.visitors.count > crowd ? Array(state.visitors.values) : []
        }
        sendAway(visitors.count / 2, of: visitors, at: now)
    }

    private func sendAway(_ most: Int, of visitors: [Visitor], at now: ContinuousClock.Instant) {
        var silent = visitors.compactMap { visitor in
            visitor.silence.map { (silence: $0, visitor: visitor) }
        }.filter { $0.silence.since.advanced(by: freshness) <= now }
        // For one alone the least is found sooner than all are sorted.
        if most > 1 { silent.sort { $1.silence < $0.silence } }
        var left = most
        // Another thread may choose the same one: then it is the next, or
        // each such meeting would cost a place for good.
        while left > 0, !silent.isEmpty {
            let first =
                most > 1 ? nil : silent.indices.min { silent[$0].silence < silent[$1].silence }
            if let first { silent.swapAt(first, silent.endIndex - 1) }
            if silent.removeLast().visitor.sendAway() { left -= 1 }
        }
    }

    func remove(_ visitor: Visitor) {
        _ = state.withLock { $0.visitors.removeValue(forKey: ObjectIdentifier(visitor)) }
    }

    /// False when there are too many; true wants a `releaseStream` one day.
    func reserveStream() -> Bool {
        state.withLock { state in
            guard state.streams < streamLimit else { return false }
            state.streams += 1
            return true
        }
    }

    func releaseStream() { state.withLock { $0.streams -= 1 } }

    /// Everybody, and whoever still comes, takes no further request.
    func close() {
        let visitors = state.withLock { state in
            state.isClosing = true
            return Array(state.visitors.values)
        }
        for visitor in visitors { visitor.close() }
    }
}
