/// What led to what, around one event (`parts/thread`).
struct ThreadModel: Encodable, Sendable {
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
        var what: String
        /// `14:34:50.122`, real time.
        var at: String
        var time: String
        var href: String
        /// The one it is told around.
        var isThis: Bool
    }

    static let none = ThreadModel(anySteps: false, steps: [])
}
