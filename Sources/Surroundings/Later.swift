import Synchronization

/// Does a thing a little after it was asked for, once for all who asked
/// meanwhile.
package final class Later: Sendable {
    private let pause: Duration
    private let world: World
    private let isAsked = Mutex(false)

    package init(after pause: Duration, _ world: World) {
        self.pause = pause
        self.world = world
    }

    /// `work` follows after the pause, unless it was asked for already; what
    /// is asked for while it runs follows after another.
    package func ask(_ work: @escaping @Sendable () async -> Void) {
        let isFirst = isAsked.withLock { isAsked in
            defer { isAsked = true }
            return !isAsked
        }
        guard isFirst else { return }
        Task { [world, pause] in
            try? await world.sleep(pause)
            isAsked.withLock { $0 = false }
            await work()
        }
    }
}
