import Core
import FoundationEssentials
import Web

/// A requested change of a workspace's clock.
struct ClockChange: Sendable {
    /// Seconds from the system time.
    var offset: TimeInterval?
    /// Seconds from the clock's current time.
    var advance: TimeInterval?
    /// The time to set.
    var at: Date?
    var freeze: Bool?

    /// How many of `offset`, `advance` and `at` are given.
    var settingCount: Int {
        (offset == nil ? 0 : 1) + (advance == nil ? 0 : 1) + (at == nil ? 0 : 1)
    }

    /// `clock` with this change; throws if it would differ from the system time by more than
    /// `Clock.maxOffset`.
    func applied(to clock: Clock, real: Date) throws(Problem) -> Clock {
        var clock = clock
        let current = clock.time(at: real)
        let target: Date? =
            if let offset { real.addingTimeInterval(offset) } else if let advance {
                current.addingTimeInterval(advance)
            } else { at }
        if let target {
            guard target.timeIntervalSince(real).magnitude <= Clock.maxOffset else {
                throw .clockTooFar
            }
            clock = clock.showing(target, at: real)
        }
        // Offsets below 1 ms come from rounding and count as the system time.
        if clock.offset.magnitude < 0.001 { clock.offset = 0 }
        return switch freeze {
        case true?: clock.frozen(at: real)
        case false?: clock.resumed(at: real)
        case nil: clock
        }
    }
}

extension Problem {
    fileprivate static var clockTooFar: Problem {
        Problem(
            status: 400, code: "clock-too-far", title: "Time out of range",
            detail: "The clock can be at most ten years from the system time.")
    }
}
