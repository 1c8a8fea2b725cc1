/// `/events/{event}`: one event of the timeline, with what led to it and what
/// came of it.
struct EventModel: Encodable, Sendable {
    var frame: FrameModel
    var csrf: String
    var title: String
    /// The timeline of the app it happened to; else home.
    var timelineURL: String
    /// `Timeline` or `Home`.
    var timelineName: String
    /// `screen.shown`.
    var kind: String
    var shape: TimelineModel.Shape
    /// ISO 8601 and `14:34:50.122`, real time; `37 s ago`.
    var at: String
    var time: String
    var ago: String
    /// What it speaks of on a page of its own; nil without one.
    var subjectURL: String?
    /// Asks whether to put the app on its device back to it; nil for what
    /// happened on none.
    var restoreURL: String?
    /// `Exchange`, `Mail`, `Session`, `Studio`.
    var subjectName: String
    /// The events beside it; nil at the ends.
    var newerURL: String?
    var olderURL: String?
    var details: [DetailModel]
    var eventChain: EventChainModel
}
