import Synchronization

/// Those who wait for a mail, each told of the first that is theirs.
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

    /// Mails that match `filter` from now on; only the newest is kept for
    /// somebody who does not look yet.
    func mails(matching filter: MailFilter) -> AsyncStream<Mail> {
        let (stream, tell) = AsyncStream.makeStream(
            of: Mail.self, bufferingPolicy: .bufferingNewest(1))
        let key = state.withLock { state in
            state.lastKey += 1
            state.waiters[state.lastKey] = Waiter(filter: filter, continuation: tell)
            return state.lastKey
        }
        tell.onTermination = { [weak self] _ in
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

    /// How many wait now.
    var count: Int { state.withLock { $0.waiters.count } }
}
