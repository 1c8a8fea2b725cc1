import Synchronization

/// Tasks that wait for values; each receives those that meet its condition.
package final class Waiters<Element: Sendable>: Sendable {
    private let state = Mutex(State())

    private struct State {
        var lastKey = 0
        var waiters: [Int: Waiter] = [:]
    }

    private struct Waiter {
        let isWanted: @Sendable (Element) -> Bool
        let continuation: AsyncStream<Element>.Continuation
    }

    package init() {}

    /// The values for which `isWanted` is true, from now on. Buffers only the newest for a consumer
    /// that is not yet reading.
    package func values(where isWanted: @escaping @Sendable (Element) -> Bool) -> AsyncStream<
        Element
    > {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Element.self, bufferingPolicy: .bufferingNewest(1))
        let key = state.withLock { state in
            state.lastKey += 1
            state.waiters[state.lastKey] = Waiter(isWanted: isWanted, continuation: continuation)
            return state.lastKey
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.waiters.removeValue(forKey: key) }
        }
        return stream
    }

    package func notify(of value: Element) {
        let waiters = state.withLock { $0.waiters.values.filter { $0.isWanted(value) } }
        for waiter in waiters { waiter.continuation.yield(value) }
    }

    /// The number of waiting tasks.
    package var count: Int { state.withLock { $0.waiters.count } }
}
