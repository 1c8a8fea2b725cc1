package import FoundationEssentials
import Synchronization

/// What time it is in each workspace.
///
/// A workspace's clock can be set ahead or back and frozen; whatever is judged
/// there is judged by it: tokens, codes, rate limits, countdowns. What really
/// happened (events, exchanges, timings) keeps the real time.
package final class Clocks: Sendable {
    private let real: @Sendable () -> Date
    /// Whether any clock was moved; while none was, nobody waits for a lock.
    private let hasAdjustedClocks = Atomic(false)
    private let adjustedClocks = Mutex<[String: Clock]>([:])

    package init(real: @escaping @Sendable () -> Date) { self.real = real }

    /// The time in `workspace`.
    package func now(in workspace: String) -> Date {
        let real = real()
        guard hasAdjustedClocks.load(ordering: .acquiring) else { return real }
        return adjustedClocks.withLock { $0[workspace] }?.time(at: real) ?? real
    }

    /// How the clock of `workspace` stands.
    package func clock(of workspace: String) -> Clock {
        guard hasAdjustedClocks.load(ordering: .acquiring) else { return Clock() }
        return adjustedClocks.withLock { $0[workspace] } ?? Clock()
    }

    /// Sets the clock of `workspace`.
    package func set(_ clock: Clock, of workspace: String) {
        adjustedClocks.withLock { moved in
            moved[workspace] = clock.isReal ? nil : clock
            hasAdjustedClocks.store(!moved.isEmpty, ordering: .releasing)
        }
    }
}
