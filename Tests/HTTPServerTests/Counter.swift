import Synchronization

/// Counts what happens, and lets a test wait for it.
final class Counter: Sendable {
    private let state = Mutex(State())

    private struct State {
        var count = 0
        var waiters: [(least: Int, wake: CheckedContinuation<Void, Never>)] = []
    }

    func add() {
        let woken = state.withLock { state in
            state.count += 1
            let count = state.count
            let waiters = state.waiters
            state.waiters = waiters.filter { $0.least > count }
            return waiters.filter { $0.least <= count }
        }
        for waiter in woken { waiter.wake.resume() }
    }

    var count: Int { state.withLock { $0.count } }

    /// Returns when there were at least that many.
    func reached(_ least: Int) async {
        await withCheckedContinuation { wake in
            let isReached = state.withLock { state in
                if state.count >= least { return true }
                state.waiters.append((least, wake))
                return false
            }
            if isReached { wake.resume() }
        }
    }
}
