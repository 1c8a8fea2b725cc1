/// An empty list: what will appear in it, and how to create it.
struct EmptyStateModel: Encodable, Sendable {
    var emptyTitle: String
    var emptyText: String
    /// One or two links that create an item; for a search without matches, a link that clears it.
    var emptyActions: [Action]
    /// The equivalent API call; nil for none.
    var emptyCall: String?
    /// Which of the three symbols the drawing shows.
    var showsMailDrawing: Bool
    var showsKeyDrawing: Bool
    var showsTrafficDrawing: Bool

    struct Action: Encodable, Sendable {
        var name: String
        var href: String
        var primary: Bool
    }
}
