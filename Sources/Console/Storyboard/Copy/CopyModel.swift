import Apps
import Storyboards
import Web

/// Every text of an app (`storyboard/copy`, rows in `storyboard/copyrows`).
struct CopyModel: Encodable, Sendable {
    let appID: String
    /// `212 texts`; `12 of 212 texts` if filtered.
    let totalText: String
    /// No event changes the texts.
    let liveEventKinds = ""
    /// The unfiltered count.
    let totalCount: Int
    let csvURL: String
    let filters: FiltersModel
    /// All, manifest, templates.
    let segments: [FiltersModel.Segment]
    /// The `rows`; nil if no text matches, then `empty` is set.
    let deck: [String: [Row]]?
    let empty: EmptyStateModel?
    /// The screen previewed before a text is selected.
    let frames: [PreviewFrameModel]

    struct Row: Encodable, Sendable {
        let row: CopyDeck.Row
        let screens: [TextLinkModel]
        /// `3 more`; nil for none.
        let moreScreens: String?
        /// The number of characters: `24`.
        let characterCount: String
        /// `3 occurrences`; nil for one.
        let occurrences: String?
        /// A search for the text.
        let occurrencesURL: String
        /// A state that shows the text; nil if there is none.
        let previewURL: String?
        /// Whether it does not match the search.
        let isHidden: Bool
    }
}

extension CopyModel {
    static let filterNames = ["source", "screen", "kind", "q"]

    init(_ app: App, _ deck: CopyDeck, _ listing: ListQuery) throws(Problem) {
        let query = listing.queryParameters
        // Rows that do not match the search are included as hidden, so that a script can filter
        // while the user types.
        let terms = Self.searchWords(query)
        let rows = try Self.filtered(deck, query.filter { $0.key != "q" }, of: app).map {
            Row($0, of: app, isHidden: !Self.matches($0, terms))
        }
        let count = rows.count { !$0.isHidden }
        let deckText = Format.count(deck.rows.count, "text")
        appID = app.id
        totalCount = deck.rows.count
        totalText =
            count == totalCount ? deckText : "\(Format.count(count)) of \(deckText)"
        csvURL = Links.url(Links.copyCSV(app.id), listing.filterItems)
        var filters = FiltersModel(
            listing, search: "Search texts", placeholder: "text, path, file",
            menus: [
                .init(
                    "screen", "Screen", of: app.screens.map { ($0.id, $0.id) },
                    chosen: query["screen"]
                ) { listing.url(["screen": $0]) },
                .init("kind", "Kind", of: deck.kinds.map { ($0, $0) }, chosen: query["kind"]) {
                    listing.url(["kind": $0])
                },
            ], summary: query["source"])
        filters.filterID = "copy"
        self.filters = filters
        segments = [nil, "manifest", "templates"].map { source in
            let count = deck.rows.count {
                source == nil || ($0.manifestPath != nil) == (source == "manifest")
            }
            return .init(
                segmentID: "copy.source.\(source ?? "all")",
                name: source?.capitalizedFirst ?? "All", segmentCount: Format.count(count),
                href: listing.url(["source": source]), current: query["source"] == source)
        }
        self.deck = count == 0 ? nil : ["rows": rows]
        empty =
            count == 0
            ? .noMatches(
                "No matching texts", "There are \(deckText) without these filters.",
                drawing: .mail, all: listing.path) : nil
        let screen =
            app.screens.first { $0.id == query["screen"] }
            ?? app.screens.first { $0.kind == .form } ?? app.screens.first
        frames = screen.map { [PreviewFrameModel(app, $0.id)] } ?? []
    }

    /// The matching rows in deck order; throws a `Problem` that names an invalid value and its
    /// choices.
    static func filtered(_ deck: CopyDeck, _ query: [String: String], of app: App) throws(Problem)
        -> [CopyDeck.Row]
    {
        let source = try Form.choice(
            query["source"], named: "source", of: ["manifest", "templates"])
        let kind = try Form.choice(query["kind"], named: "kind", of: deck.kinds)
        let screen = query["screen"]?.nonEmpty
        if let screen, app.screen(screen) == nil { throw .unknownScreen(screen) }
        let terms = searchWords(query)
        return deck.rows.filter { row in
            if let source, source != (row.manifestPath == nil ? "templates" : "manifest") {
                return false
            }
            if let kind, row.kind != kind { return false }
            if let screen, !row.locations.contains(where: { $0.screen == screen }) { return false }
            return matches(row, terms)
        }
    }

    private static func searchWords(_ query: [String: String]) -> [Substring] {
        (query["q"]?.lowercased() ?? "").split(whereSeparator: \.isWhitespace)
    }

    private static func matches(_ row: CopyDeck.Row, _ terms: [Substring]) -> Bool {
        let text = "\(row.text) \(row.manifestPath ?? "") \(row.file)".lowercased()
        return terms.allSatisfy { text.contains($0) }
    }

    /// The rows of the CSV export, with a header.
    static func csvRows(_ rows: [CopyDeck.Row]) -> [[String]] {
        [["text", "kind", "file", "line", "path", "screens", "characters"]]
            + rows.map { row in
                [
                    row.text, row.kind, row.file, row.line.map(String.init) ?? "",
                    row.manifestPath ?? "", row.locations.map(\.screen).joined(separator: " "),
                    String(row.text.count),
                ]
            }
    }
}

extension CopyModel.Row {
    /// The maximum number of screens listed; the others are counted.
    private static let screenLimit = 3

    fileprivate init(_ row: CopyDeck.Row, of app: App, isHidden: Bool) {
        self.row = row
        self.isHidden = isHidden
        screens = row.locations.prefix(Self.screenLimit).map { location in
            TextLinkModel(
                name: location.state == "default"
                    ? location.screen : "\(location.screen), \(location.state)",
                href: Links.statePage(location))
        }
        let remainingCount = row.locations.count - screens.count
        moreScreens = remainingCount > 0 ? "\(Format.count(remainingCount)) more" : nil
        characterCount = Format.count(row.text.count)
        occurrences =
            row.occurrenceCount > 1 ? Format.count(row.occurrenceCount, "occurrence") : nil
        occurrencesURL = Links.url(Links.copy(app.id), [("q", row.text)])
        previewURL = row.locations.first.map { PreviewFrameModel.url(of: $0) }
    }
}

/// Encodes rows as comma-separated values (RFC 4180).
///
/// A spreadsheet interprets a value that begins with `=`, `+`, `-`, `@`, a tab or a carriage return
/// as a formula. Such values are prefixed with an apostrophe, which makes spreadsheets treat them
/// as text.
enum CSV {
    static func encode(_ rows: [[String]]) -> String {
        rows.map { $0.map(escape).joined(separator: ",") + "\r\n" }.joined()
    }

    static func escape(_ value: String) -> String {
        var value = value
        if let first = value.unicodeScalars.first, "=+-@\t\r".unicodeScalars.contains(first) {
            value = "'" + value
        }
        guard
            value.unicodeScalars.contains(where: { "\",\r\n".unicodeScalars.contains($0) })
                || value.first == " " || value.last == " "
        else { return value }
        return "\"" + value.replacing("\"", with: "\"\"") + "\""
    }
}
