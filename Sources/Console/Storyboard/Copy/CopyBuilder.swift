import Apps
import Storyboards
import Templates
import Web

/// Builds the page of an app's texts (`storyboard/copy`, rows in `storyboard/copyrows`).
struct CopyBuilder {
    let app: App
    let deck: CopyDeck

    static let filterNames = ["source", "screen", "kind", "q"]

    /// The maximum number of screens listed for a text; the others are counted.
    private static let screenLimit = 3

    func build(_ listing: ListQuery) throws(Problem) -> TemplateModel {
        let query = listing.queryParameters
        // Rows that do not match the search are included as hidden, so that a script can filter
        // while the user types.
        let terms = Self.searchWords(query)
        let rows = try rows(query.filter { $0.key != "q" }).map {
            (row: $0, isHidden: !Self.matches($0, terms))
        }
        let count = rows.count { !$0.isHidden }
        let deckText = Format.count(deck.rows.count, "text")
        let filters = listing.filters(
            id: "copy", search: "Search texts", placeholder: "text, path, file",
            menus: [
                .init(
                    "screen", "Screen", of: app.screens.map { ($0.id, $0.id) },
                    chosen: query["screen"]
                ) { listing.url(["screen": $0]) },
                .init("kind", "Kind", of: deck.kinds.map { ($0, $0) }, chosen: query["kind"]) {
                    listing.url(["kind": $0])
                },
            ], summary: query["source"])
        let empty: TemplateModel? =
            count == 0
            ? .noMatches(
                "No matching texts", "There are \(deckText) without these filters.",
                drawing: .mail, all: listing.path) : nil
        // The screen previewed before a text is selected.
        let screen =
            app.screens.first { $0.id == query["screen"] }
            ?? app.screens.first { $0.kind == .form } ?? app.screens.first
        return [
            "appID": app.id, "totalCount": deck.rows.count,
            "totalText": count == deck.rows.count
                ? deckText : "\(Format.count(count)) of \(deckText)",
            // No event changes the texts.
            "liveEventKinds": "", "csvURL": Links.url(Links.copyCSV(app.id), listing.filterItems),
            "filters": filters,
            "segments": [nil, "manifest", "templates"].map { segment($0, listing) },
            "rows": rows.map { row($0.row, isHidden: $0.isHidden) }, "empty": empty,
            "frames": screen.map { [app.previewFrame(of: $0.id)] } ?? [],
        ]
    }

    private func segment(_ source: String?, _ listing: ListQuery) -> LinkModel {
        let count = deck.rows.count { source == nil || $0.source == source }
        return .init(
            id: "copy.source.\(source ?? "all")",
            name: source?.capitalizedFirst ?? "All", count: Format.count(count),
            href: listing.url(["source": source]),
            current: listing.queryParameters["source"] == source)
    }

    private func row(_ row: CopyDeck.Row, isHidden: Bool) -> TemplateModel {
        let remainingCount = row.locations.count - Self.screenLimit
        return [
            "row": row, "isHidden": isHidden,
            "screens": row.locations.prefix(Self.screenLimit).map { location in
                TextLinkModel(
                    name: location.state == "default"
                        ? location.screen : "\(location.screen), \(location.state)",
                    href: Links.statePage(location))
            }, "moreScreens": remainingCount > 0 ? "\(Format.count(remainingCount)) more" : nil,
            "characterCount": Format.count(row.text.count),
            "occurrences": row.occurrenceCount > 1
                ? Format.count(row.occurrenceCount, "occurrence") : nil,
            "occurrencesURL": Links.url(Links.copy(app.id), [("q", row.text)]),
            "previewURL": row.locations.first.map { Links.previewTile($0) },
        ]
    }

    /// The matching rows in deck order; throws a `Problem` that names an invalid value and its
    /// choices.
    func rows(_ query: [String: String]) throws(Problem) -> [CopyDeck.Row] {
        let source = try Form.choice(
            query["source"], named: "source", of: ["manifest", "templates"])
        let kind = try Form.choice(query["kind"], named: "kind", of: deck.kinds)
        let screen = query["screen"]?.nonEmpty
        if let screen, app.screen(screen) == nil { throw .unknownScreen(screen) }
        let terms = Self.searchWords(query)
        return deck.rows.filter { row in
            (source ?? row.source) == row.source && (kind ?? row.kind) == row.kind
                && (screen == nil || row.locations.contains { $0.screen == screen })
                && Self.matches(row, terms)
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

extension CopyDeck.Row {
    /// `manifest` or `templates`.
    var source: String { manifestPath == nil ? "templates" : "manifest" }
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
