import Synchronization

/// Who is connected, and how many of them hold a stream.
final class Ledger: Sendable {
    private let streamLimit: Int
    private let state = Mutex(State())

    private struct State {
        var visitors: [ObjectIdentifier: Visitor] = [:]
        var streams = 0
        var isClosing = false
    }

    /// A quarter of the connections is kept for pages.
    init(connectionLimit: Int) { streamLimit = connectionLimit * 3 / 4 }

    var visitors: [Visitor] {
        state.withLock { Array($0.visitors.values) }
    }

    /// Whether any answer is still on its way.
    var isBusy: Bool { visitors.contains { $0.isBusy } }

    func add(_ visitor: Visitor) {
        let isClosing = state.withLock { state in
            state.visitors[ObjectIdentifier(visitor)] = visitor
            return state.isClosing
        }
        if isClosing { visitor.close() }
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
