package import FoundationEssentials
import Synchronization

/// The current time in each workspace.
///
/// A workspace's clock can be set ahead or back and frozen. Tokens, codes, rate limits and
/// countdowns use it; events, exchanges and timings keep the real time.
package final class Clocks: Sendable {
    private let real: @Sendable () -> Date
    /// Whether any clock is adjusted; otherwise reads take no lock.
    private let hasAdjustedClocks = Atomic(false)
    private let adjustedClocks = Mutex<[String: Clock]>([:])

    package init(real: @escaping @Sendable () -> Date) { self.real = real }

    /// The time in `workspace`.
    package func now(in workspace: String) -> Date {
        let real = real()
        guard hasAdjustedClocks.load(ordering: .acquiring) else { return real }
        return adjustedClocks.withLock { $0[workspace] }?.time(at: real) ?? real
    }

    /// The clock of `workspace`.
    package func clock(of workspace: String) -> Clock {
        guard hasAdjustedClocks.load(ordering: .acquiring) else { return Clock() }
        return adjustedClocks.withLock { $0[workspace] } ?? Clock()
    }

    /// Sets the clock of `workspace`.
    package func set(_ clock: Clock, of workspace: String) {
        adjustedClocks.withLock { clocks in
            clocks[workspace] = clock.isReal ? nil : clock
            hasAdjustedClocks.store(!clocks.isEmpty, ordering: .releasing)
        }
    }
}
