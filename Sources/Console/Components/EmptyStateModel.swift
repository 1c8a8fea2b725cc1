/// A list with nothing in it: what will appear here, and how to make it.
struct EmptyStateModel: Encodable, Sendable {
    var emptyTitle: String
    var emptyText: String
    /// One or two that do it; none for a search that found nothing but a
    /// link that clears it.
    var emptyActions: [Action]
    /// The same from a test; nil when there is nothing to say.
    var emptyCall: String?
    /// Which of the three the drawing shows.
    var showsMailDrawing: Bool
    var showsKeyDrawing: Bool
    var showsTrafficDrawing: Bool

    struct Action: Encodable, Sendable {
        var name: String
        var href: String
        var primary: Bool
    }
}
