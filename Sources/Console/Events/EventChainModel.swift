/// What led to what, around one event (`parts/thread`).
struct EventChainModel: Encodable, Sendable {
    /// False where nothing of it is kept any more.
    var anySteps: Bool
    var steps: [Step]

    struct Step: Encodable, Sendable {
        /// The event's id.
        var id: String
        /// `thread-0` … `thread-5`: how far it stands in.
        var depthClass: String
        /// A symbol `mark-<shape>` of `icons.svg`.
        var shape: TimelineModel.Shape
        var title: String
        /// `14:34:50.122`, real time.
        var at: String
        var time: String
        var href: String
        /// The one it is told around.
        var isCurrent: Bool
    }

    static let none = EventChainModel(anySteps: false, steps: [])
}
