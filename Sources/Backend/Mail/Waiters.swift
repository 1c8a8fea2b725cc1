import Synchronization

/// Those who wait for a mail, each told of the first that is theirs.
final class Waiters: Sendable {
    private let state = Mutex(State())

    private struct State {
        var next = 0
        var waiting: [Int: Waiter] = [:]
    }

    private struct Waiter {
        let filter: MailFilter
        let tell: AsyncStream<Mail>.Continuation
    }

    /// Mails that match `filter` from now on; only the newest is kept for
    /// somebody who does not look yet.
    func mails(matching filter: MailFilter) -> AsyncStream<Mail> {
        let (stream, tell) = AsyncStream.makeStream(
            of: Mail.self, bufferingPolicy: .bufferingNewest(1))
        let key = state.withLock { state in
            state.next += 1
            state.waiting[state.next] = Waiter(filter: filter, tell: tell)
            return state.next
        }
        tell.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.waiting.removeValue(forKey: key) }
        }
        return stream
    }

    func tell(of mail: Mail) {
        let matching = state.withLock { state in
            state.waiting.values.filter { $0.filter.matches(mail) }
        }
        for waiter in matching { waiter.tell.yield(mail) }
    }

    /// How many wait now.
    var count: Int { state.withLock { $0.waiting.count } }
}
