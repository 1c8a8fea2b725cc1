/// `/events/{event}`: one event of the timeline, with its causes and effects.
struct EventModel: Encodable, Sendable {
    var frame: FrameModel
    var csrf: String
    var title: String
    /// The timeline of the event's app; else the home page.
    var timelineURL: String
    /// `Timeline` or `Home`.
    var timelineName: String
    /// `screen.shown`.
    var kind: String
    var shape: TimelineModel.Shape
    /// ISO 8601; `time` is the system time, `14:34:50.122`, and `ago` is `37 s ago`.
    var at: String
    var time: String
    var ago: String
    /// The page of the event's subject; nil for none.
    var subjectURL: String?
    /// The confirmation to restore the app on its device to this event; nil for an event without a
    /// device.
    var restoreURL: String?
    /// `The exchange`, `The mail`, `The session`, `Atlas in the studio`.
    var subjectName: String
    /// The neighboring events; nil at the ends.
    var newerURL: String?
    var olderURL: String?
    var details: [DetailModel]
    var eventChain: EventChainModel
}
