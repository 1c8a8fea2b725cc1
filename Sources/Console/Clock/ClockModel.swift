/// `/clock`: the workspace's clock, and the form that sets it.
struct ClockModel: Encodable, Sendable {
    var frame: FrameModel
    var csrf: String
    /// The date of the workspace's time, `2026-11-21`, UTC.
    var date: String
    /// The system time, `14:35:27`.
    var systemTime: String
    /// The value of the time field, `2026-11-21T14:35:27`.
    var inputValue: String
    /// The error in the entered time.
    var error: String?
    /// Sentences about backends whose clocks do not follow.
    var notes: [String]
}
