import Surroundings
import Synchronization

/// Makes those who guess keys wait, few of them at a time.
final class Slowed: Sendable {
    private let waiting = Mutex(0)

    /// More than this many are answered at once: they have learnt nothing.
    private static let bound = 32

    /// A quarter of a second.
    func pause(_ world: World) async {
        let admitted = waiting.withLock { count in
            guard count < Self.bound else { return false }
            count += 1
            return true
        }
        guard admitted else { return }
        try? await world.sleep(.milliseconds(250))
        waiting.withLock { $0 -= 1 }
    }
}
