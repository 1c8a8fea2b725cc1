import Synchronization

/// Suspends waiting tasks until a test opens it.
package final class Latch: Sendable {
    private let state = Mutex(State())

    private struct State {
        var isOpen = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    package init() {}

    /// Number of waiting tasks.
    package var waiting: Int { state.withLock { $0.waiting.count } }

    package func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    /// Resumes all waiting tasks; later ones do not wait.
    package func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
