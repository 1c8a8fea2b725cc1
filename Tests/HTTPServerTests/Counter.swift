import Synchronization

/// Counts events, and lets a test wait for a number of them.
final class Counter: Sendable {
    private let state = Mutex(State())

    private struct State {
        var count = 0
        var waiters: [(minimum: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    func add() {
        let reached = state.withLock { state in
            state.count += 1
            let count = state.count
            let waiters = state.waiters
            state.waiters = waiters.filter { $0.minimum > count }
            return waiters.filter { $0.minimum <= count }
        }
        for waiter in reached { waiter.continuation.resume() }
    }

    var count: Int { state.withLock { $0.count } }

    /// Returns when at least `minimum` events were counted.
    func reached(_ minimum: Int) async {
        await withCheckedContinuation { continuation in
            let isReached = state.withLock { state in
                if state.count >= minimum { return true }
                state.waiters.append((minimum, continuation))
                return false
            }
            if isReached { continuation.resume() }
        }
    }
}
