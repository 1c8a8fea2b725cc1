/// `/clock`: how the workspace's clock stands and what it can be set to.
struct ClockModel: Encodable, Sendable {
    var frame: FrameModel
    var csrf: String
    /// `21 November 2026`… of the workspace's time, ISO 8601.
    var date: String
    /// What the real time is, `14:35:27`.
    var systemTime: String
    /// What the field for a time holds: `2026-11-21T14:35:27`.
    var inputValue: String
    /// What was wrong with the time that was typed.
    var error: String?
    /// Sentences about backends whose clocks do not follow.
    var notes: [String]
}
