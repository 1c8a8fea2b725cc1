import Synchronization

/// Pending waits for mail; each receives mails that match its filter.
final class MailWaiters: Sendable {
    private let state = Mutex(State())

    private struct State {
        var lastKey = 0
        var waiters: [Int: Waiter] = [:]
    }

    private struct Waiter {
        let filter: MailFilter
        let continuation: AsyncStream<Mail>.Continuation
    }

    /// Mails that match `filter` from now on. Buffers only the newest for a consumer that is not
    /// yet reading.
    func mails(matching filter: MailFilter) -> AsyncStream<Mail> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Mail.self, bufferingPolicy: .bufferingNewest(1))
        let key = state.withLock { state in
            state.lastKey += 1
            state.waiters[state.lastKey] = Waiter(filter: filter, continuation: continuation)
            return state.lastKey
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.waiters.removeValue(forKey: key) }
        }
        return stream
    }

    func notify(of mail: Mail) {
        let matching = state.withLock { state in
            state.waiters.values.filter { $0.filter.matches(mail) }
        }
        for waiter in matching { waiter.continuation.yield(mail) }
    }

    /// The number of pending waits.
    var count: Int { state.withLock { $0.waiters.count } }
}
