/// The causes and effects around one event (`parts/thread`).
struct EventChainModel: Encodable, Sendable {
    /// False if none of the events is still stored.
    var anySteps: Bool
    var steps: [Step]

    struct Step: Encodable, Sendable {
        /// The event's id.
        var id: String
        /// `thread-0` … `thread-5`: the depth, as indentation.
        var depthClass: String
        /// A symbol `mark-<shape>` of `icons.svg`.
        var shape: TimelineModel.Shape
        var title: String
        /// ISO 8601; `time` is the system time, `14:34:50.122`.
        var at: String
        var time: String
        var href: String
        /// Whether the chain was built around this event.
        var isCurrent: Bool
    }

    static let none = EventChainModel(anySteps: false, steps: [])
}
