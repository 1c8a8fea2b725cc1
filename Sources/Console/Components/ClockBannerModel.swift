import Core

/// Below the bar of every page: that the workspace's clock is not the real
/// one, and what does not follow it.
struct ClockBannerModel: Encodable, Sendable {
    /// `Clock +15 min`, `Clock frozen`.
    var clockName: String
    /// What goes by it, and whose clock stays real.
    var clockText: String

    /// `notes` are of backends that keep the real time.
    init(_ clock: Clock, notes: [String]) {
        clockName = "Clock \(Format.clockStatus(clock))"
        clockText =
            notes.isEmpty
            ? "Tokens, codes, limits and countdowns of this workspace go by it."
            : notes.joined(separator: " ")
    }
}
