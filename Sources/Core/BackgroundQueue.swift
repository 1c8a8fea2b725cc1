import Dispatch
import Synchronization

/// Runs long work serially on its own thread.
///
/// Swift's tasks share as many threads as there are processors, and pages are rendered on them:
/// computations of tenths of a second run here instead.
package final class BackgroundQueue: Sendable {
    private let queue: DispatchQueue

    package init(_ name: String) { queue = DispatchQueue(label: "foyer.\(name)") }

    /// The result of `work`, which runs after all work queued before it.
    package func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws
        -> Value
    {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result(catching: work)) }
        }
    }
}

/// Runs work a delay after it was requested, once for all requests made meanwhile.
package final class Debouncer: Sendable {
    private let delay: Duration
    private let world: World
    private let isScheduled = Mutex(false)

    package init(after delay: Duration, _ world: World) {
        self.delay = delay
        self.world = world
    }

    /// Runs `work` after the delay, unless it is already scheduled. A request made during the run
    /// schedules another.
    package func schedule(_ work: @escaping @Sendable () async -> Void) {
        let isFirst = isScheduled.withLock { scheduled in
            defer { scheduled = true }
            return !scheduled
        }
        guard isFirst else { return }
        Task { [world, delay] in
            try? await world.sleep(delay)
            isScheduled.withLock { $0 = false }
            await work()
        }
    }
}

/// Counts what is in use at the same time, up to a limit.
package final class UsageLimit: Sendable {
    private let limit: Int
    private let count = Mutex(0)

    package init(_ limit: Int) { self.limit = limit }

    package var isReached: Bool { count.withLock { $0 >= limit } }

    /// False if the limit is reached; true must be balanced by `release`.
    package func acquire() -> Bool {
        count.withLock { count in
            guard count < limit else { return false }
            count += 1
            return true
        }
    }

    package func release() { count.withLock { $0 -= 1 } }
}
