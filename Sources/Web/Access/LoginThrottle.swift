import Core
import Synchronization

/// Delays wrong keys, few of them at a time; meanwhile no other is looked at.
final class LoginThrottle: Sendable {
    private let delayedCount = Mutex(0)

    /// So many wait at a time, whatever the number of connections.
    private static let delayedLimit = 32

    /// Whether a key may not be looked at now: one that is judged at once
    /// tells whether it is wrong, and guessing would go on undelayed.
    var isFull: Bool { delayedCount.withLock { $0 >= Self.delayedLimit } }

    /// A quarter of a second; false at once if too many wait already.
    func delay(_ world: World) async -> Bool {
        let isAdmitted = delayedCount.withLock { count in
            guard count < Self.delayedLimit else { return false }
            count += 1
            return true
        }
        guard isAdmitted else { return false }
        defer { delayedCount.withLock { $0 -= 1 } }
        // It is cut short only if the guesser has left.
        try? await world.sleep(.milliseconds(250))
        return true
    }
}
