import Web

/// An empty list: what will appear in it, and how to create it.
struct EmptyStateModel: Encodable, Sendable {
    var emptyTitle: String
    var emptyText: String
    /// One or two links that create an item; for a search without matches, a link that clears it.
    var emptyActions: [Action]
    /// The equivalent API call; nil for none.
    var emptyCall: String?
    /// The name of the symbol in the drawing, as the only key.
    var emptyDrawing: [String: Bool]

    struct Action: Encodable, Sendable {
        var name: String
        var href: String
        var primary: Bool
    }

    enum Drawing: String { case mail, key, traffic }

    /// A list without any items yet; links to the studio of `app`, if there is one.
    static func noItems(
        _ title: String, _ text: String, drawing: Drawing, call: String, studioOf app: String?
    ) -> Self {
        let studio = app.map {
            Action(name: "Open the studio", href: Links.studio($0), primary: true)
        }
        return Self(
            emptyTitle: title, emptyText: text, emptyActions: [studio].compactMap(\.self),
            emptyCall: call, emptyDrawing: [drawing.rawValue: true])
    }

    /// A list whose filters match nothing; `all` is the URL of the unfiltered list.
    static func noMatches(_ title: String, _ text: String, drawing: Drawing, all: String) -> Self {
        Self(
            emptyTitle: title, emptyText: text,
            emptyActions: [Action(name: "Show all", href: all, primary: true)],
            emptyDrawing: [drawing.rawValue: true])
    }

    /// The same for a list whose search finds only words: a search for symbols gets an explanation.
    static func noMatches(_ listing: ListQuery, _ text: String, drawing: Drawing) -> Self {
        listing.queryParameters["q"]?.isSymbolsOnly == true
            ? noMatches(
                "No searchable text",
                "A search needs a letter or a digit: it matches the beginnings of words, not "
                    + "symbols.", drawing: drawing, all: listing.path)
            : noMatches("No matches", text, drawing: drawing, all: listing.path)
    }
}
