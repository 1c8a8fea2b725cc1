import Templates
import Web

/// The symbol in the drawing of an empty list.
enum EmptyListDrawing: String { case mail, key, traffic }

extension TemplateModel {
    /// A list without any items yet: what will appear in it, and how to create an item: by
    /// `action`, in the studio of `app`, or by the API call `call`.
    static func noItems(
        _ title: String, _ text: String, drawing: EmptyListDrawing, call: String,
        action: (name: String, url: String)? = nil, studioOf app: String?
    ) -> Self {
        let studio = app.map { (name: "Open the studio", url: Links.studio($0)) }
        return emptyList(title, text, drawing, [action, studio].compactMap(\.self), call: call)
    }

    /// A list whose filters match nothing; `all` is the URL of the unfiltered list.
    static func noMatches(
        _ title: String, _ text: String, drawing: EmptyListDrawing, all: String
    ) -> Self { emptyList(title, text, drawing, [("Show all", all)]) }

    /// The same for a list whose search finds only words: a search for symbols gets an explanation.
    static func noMatches(_ listing: ListQuery, _ text: String, drawing: EmptyListDrawing) -> Self {
        listing.queryParameters["q"]?.isSymbolsOnly == true
            ? noMatches(
                "No searchable text",
                "A search needs a letter or a digit: it matches the beginnings of words, not "
                    + "symbols.", drawing: drawing, all: listing.path)
            : noMatches("No matches", text, drawing: drawing, all: listing.path)
    }

    /// `parts/empty`; the first of one or two actions is the primary one.
    private static func emptyList(
        _ title: String, _ text: String, _ drawing: EmptyListDrawing,
        _ actions: [(name: String, url: String)], call: String? = nil
    ) -> Self {
        [
            "emptyTitle": title, "emptyText": text, "emptyCall": call,
            "emptyActions": actions.enumerated().map { index, action -> TemplateModel in
                ["name": action.name, "href": action.url, "primary": index == 0]
            }, "emptyDrawing": [drawing.rawValue: true],
        ]
    }
}
