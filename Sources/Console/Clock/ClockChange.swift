import Core
import FoundationEssentials
import Web

/// What is asked of a workspace's clock.
struct ClockChange: Sendable {
    /// Seconds from the real time.
    var offset: TimeInterval?
    /// Seconds from what it shows.
    var advance: TimeInterval?
    /// What it is to show.
    var at: Date?
    var freeze: Bool?

    /// How many of the three that set it are given.
    var settingCount: Int {
        (offset == nil ? 0 : 1) + (advance == nil ? 0 : 1) + (at == nil ? 0 : 1)
    }

    /// `clock` after this; throws if that is further from the real time than
    /// a clock can be.
    func applied(to clock: Clock, real: Date) throws(Problem) -> Clock {
        var clock = clock
        let shown = clock.time(at: real)
        let wanted: Date? =
            if let offset { real.addingTimeInterval(offset) } else if let advance {
                shown.addingTimeInterval(advance)
            } else { at }
        if let wanted {
            guard wanted.timeIntervalSince(real).magnitude <= Clock.maxOffset else {
                throw .clockTooFar
            }
            clock = clock.showing(wanted, at: real)
        }
        // Nobody sets a clock to the microsecond: what rounds to the real
        // time is the real time.
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
            status: 400, code: "clock-too-far", title: "The clock cannot be set that far",
            detail: "It goes ten years ahead of the real time or back.")
    }
}
