import Core
import Synchronization

/// Delays failed authentications by 250 ms, at most 32 at a time; while it is full no other key is
/// checked.
final class LoginThrottle: Sendable {
    private let delayedCount = Mutex(0)

    /// Concurrent delays, however many connections there are.
    private static let delayedLimit = 32

    /// Whether keys may not be checked now: an immediate check reveals whether the key is wrong, so
    /// guessing would proceed without delay.
    var isFull: Bool { delayedCount.withLock { $0 >= Self.delayedLimit } }

    /// Waits 250 ms; returns false at once if the limit is reached.
    func delay(_ world: World) async -> Bool {
        let isAdmitted = delayedCount.withLock { count in
            guard count < Self.delayedLimit else { return false }
            count += 1
            return true
        }
        guard isAdmitted else { return false }
        defer { delayedCount.withLock { $0 -= 1 } }
        // Only a client that disconnects cuts the delay short.
        try? await world.sleep(.milliseconds(250))
        return true
    }
}
