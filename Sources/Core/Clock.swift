package import FoundationEssentials
import Synchronization

/// The offset of a workspace's clock from the real time, or the time it is frozen at.
package struct Clock: Sendable, Equatable {
    /// Seconds ahead of the real time, negative if behind; while the clock is frozen, the offset
    /// when it stopped.
    package var offset: TimeInterval
    /// The time a frozen clock shows; nil while it runs.
    package var frozenAt: Date?

    package init(offset: TimeInterval = 0, frozenAt: Date? = nil) {
        self.offset = offset
        self.frozenAt = frozenAt
    }

    /// Whether it shows the real time.
    package var isReal: Bool { offset == 0 && frozenAt == nil }

    /// The time the clock shows at the real time `real`.
    package func time(at real: Date) -> Date { frozenAt ?? real.addingTimeInterval(offset) }

    /// The clock set to `time`, running or frozen as before.
    package func showing(_ time: Date, at real: Date) -> Clock {
        Clock(offset: time.timeIntervalSince(real), frozenAt: frozenAt == nil ? nil : time)
    }

    /// The clock frozen at the time it shows.
    package func frozen(at real: Date) -> Clock { Clock(offset: offset, frozenAt: time(at: real)) }

    /// The clock running on from the time it shows.
    package func resumed(at real: Date) -> Clock {
        guard let frozenAt else { return self }
        return Clock(offset: frozenAt.timeIntervalSince(real))
    }

    /// The maximum offset from the real time in seconds: ten years, so that every time can still be
    /// formatted as a date.
    package static let maxOffset: TimeInterval = 10 * 366 * 86_400
}

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
