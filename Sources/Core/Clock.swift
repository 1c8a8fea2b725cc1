package import FoundationEssentials

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
