/// A countdown ring with the remaining time beside it, updated by a script.
struct CountdownModel: Encodable, Sendable {
    /// What expires, for screen readers: `Access token`.
    var label: String
    var testID: String
    /// ISO 8601; empty without a known expiry (`phase` none).
    var expiresAt: String
    /// The lifetime in seconds, `300`; `0` when unknown.
    var lifetime: String
    /// The remaining percentage, `0` to `100`.
    var percent: String
    /// `4:23`, `−0:12`, `–`.
    var remaining: String
    /// `of 5:00 left`, `expired`, `no expiry told`, `until 14:39:02`.
    var caption: String
    var phase: Phase
    /// Nil for 40 px, `mid` for 32, `big` for 56.
    var countdownSize: String?

    /// `warn` in the last fifth of the lifetime, `frozen` while the clock is frozen, `none` without
    /// a known expiry.
    enum Phase: String, Encodable, Sendable {
        case running = "run"
        case warn
        case expired = "over"
        case frozen = "still"
        case none
    }
}
