import Synchronization

/// Does a thing a little after it was asked for, once for all who asked
/// meanwhile.
package final class Debouncer: Sendable {
    private let delay: Duration
    private let world: World
    private let isScheduled = Mutex(false)

    package init(after pause: Duration, _ world: World) {
        self.delay = pause
        self.world = world
    }

    /// `work` follows after the pause, unless it was asked for already; what
    /// is asked for while it runs follows after another.
    package func schedule(_ work: @escaping @Sendable () async -> Void) {
        let isFirst = isScheduled.withLock { isAsked in
            defer { isAsked = true }
            return !isAsked
        }
        guard isFirst else { return }
        Task { [world, pause = delay] in
            try? await world.sleep(pause)
            isScheduled.withLock { $0 = false }
            await work()
        }
    }
}
