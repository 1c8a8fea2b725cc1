import Synchronization

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
