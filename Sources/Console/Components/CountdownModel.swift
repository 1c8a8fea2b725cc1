/// A ring that empties with the time left beside it; ticks on by script.
struct CountdownModel: Encodable, Sendable {
    /// What ends, for a screen reader: `Access token`.
    var label: String
    var testID: String
    /// ISO 8601; empty when no end is told (`phase` none).
    var expiresAt: String
    /// The whole life in seconds, `300`; `0` when unknown.
    var lifetime: String
    /// Share left, `0` to `100`.
    var percent: String
    /// `4:23`, `−0:12`, `–`.
    var remaining: String
    /// `of 5:00 left`, `expired`, `no expiry told`, `until 14:39:02`.
    var caption: String
    var phase: Phase
    /// Nil for 40 px, `mid` for 32, `big` for 56.
    var countdownSize: String?

    /// `warn` in the last fifth, `over` after the end, `still` while the
    /// clock is frozen, `none` when no end is told.
    enum Phase: String, Encodable, Sendable {
        case running = "run"
        case warn
        case expired = "over"
        case frozen = "still"
        case none
    }
}
