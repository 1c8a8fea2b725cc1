import Synchronization

/// Who is connected, and how many of them hold a stream.
final class Ledger: Sendable {
    private let streamLimit: Int
    /// From so many on, whoever comes takes the place of one that waits.
    private let crowd: Int
    private let state = Mutex(State())

    private struct State {
        var visitors: [ObjectIdentifier: Visitor] = [:]
        var streams = 0
        var isClosing = false
    }

    /// A quarter of the connections is kept for pages, and an eighth for
    /// those who come.
    init(connectionLimit: Int) {
        streamLimit = connectionLimit * 3 / 4
        crowd = connectionLimit * 7 / 8
    }

    var visitors: [Visitor] {
        state.withLock { Array($0.visitors.values) }
    }

    /// Whether any answer is still on its way.
    var isBusy: Bool { visitors.contains { $0.isBusy } }

    /// Lets somebody in. In a crowd another has to go: of those who have
    /// nothing under way, whoever was silent longest.
    func add(_ visitor: Visitor) {
        let (isClosing, others) = state.withLock { state in
            let others =
                state.visitors.count >= crowd
                ? Array(state.visitors.values) : []
            state.visitors[ObjectIdentifier(visitor)] = visitor
            return (state.isClosing, others)
        }
        if isClosing { visitor.close() }
        var silent = others.compactMap { other in
            other.silentSince.map { (since: $0, visitor: other) }
        }
        // Another thread may choose the same one: then it is the next, or
        // each such meeting would cost a place for good.
        while let first = silent.indices.min(by: {
            silent[$0].since < silent[$1].since
        }), !silent.remove(at: first).visitor.sendAway() {}
    }

    func remove(_ visitor: Visitor) {
        _ = state.withLock {
            $0.visitors.removeValue(forKey: ObjectIdentifier(visitor))
        }
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
