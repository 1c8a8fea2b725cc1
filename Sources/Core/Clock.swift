package import FoundationEssentials

/// How a workspace's clock stands beside the real one.
package struct Clock: Sendable, Equatable {
    /// Seconds it is ahead of the real time, below 0 if it is behind; while it
    /// is frozen, how far it was when it stopped.
    package var offset: TimeInterval
    /// The time it stands at; nil while it goes.
    package var frozenAt: Date?

    package init(offset: TimeInterval = 0, frozenAt: Date? = nil) {
        self.offset = offset
        self.frozenAt = frozenAt
    }

    /// Whether it shows the real time.
    package var isReal: Bool { offset == 0 && frozenAt == nil }

    /// The time it shows while the real one is `real`.
    package func time(at real: Date) -> Date { frozenAt ?? real.addingTimeInterval(offset) }

    /// The same clock, going or standing, showing `time`.
    package func showing(_ time: Date, at real: Date) -> Clock {
        Clock(offset: time.timeIntervalSince(real), frozenAt: frozenAt == nil ? nil : time)
    }

    /// Stopped at what it shows.
    package func frozen(at real: Date) -> Clock { Clock(offset: offset, frozenAt: time(at: real)) }

    /// Going on from what it shows.
    package func resumed(at real: Date) -> Clock {
        guard let frozenAt else { return self }
        return Clock(offset: frozenAt.timeIntervalSince(real))
    }

    /// So far, in seconds, it may be set from the real time: ten years, so
    /// that every time there is can still be written as a date.
    package static let maxOffset: TimeInterval = 10 * 366 * 86_400
}
