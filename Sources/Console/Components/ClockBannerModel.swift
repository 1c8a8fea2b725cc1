import Core

/// The banner below every page's toolbar while the workspace's clock differs from the system time.
struct ClockBannerModel: Encodable, Sendable {
    /// `Clock +15 min`, `Clock frozen`.
    var clockName: String
    /// What follows the clock, or which backends do not.
    var clockText: String

    /// `notes` describe backends that keep the system time.
    init(_ clock: Clock, notes: [String]) {
        clockName = "Clock \(Format.clockStatus(clock))"
        clockText =
            notes.isEmpty
            ? "Tokens, codes, limits and countdowns of this workspace go by it."
            : notes.joined(separator: " ")
    }
}
