import Apps
import Web

/// Narrows an app's deck of texts to what is asked for.
struct CopyBuilder {
    let services: Services
    let frames: FrameBuilder
    let app: App
    let workspace: String
    let csrf: String
    let listing: ListQuery

    static let filterNames = ["source", "screen", "kind", "q"]

    /// So many screens stand in a row; the others are counted.
    private static let screenLimit = 3

    private var query: [String: String] { listing.queryParameters }

    func build() async throws -> CopyModel {
        let deck = CopyDeck(app, services.appCatalog.texts(ofApp: app.id), services.templates)
        // What a search leaves out is there, hidden: other words are found
        // as they are typed.
        let searched = Self.searchWords(query)
        let shown = try Self.filtered(deck, query.filter { $0.key != "q" }, of: app).map {
            (row: $0, fits: Self.matches($0, searched))
        }
        let count = shown.count(where: \.fits)
        let whole = deck.rows.count
        return CopyModel(
            frame: try await frames.frame(
                "\(app.name), copy", navItem: "storyboard", workspace: workspace, csrfToken: csrf,
                partURL: listing.partURL, script: "copy.js"), csrf: csrf,
            tabs: StoryboardTabModel.all(of: app.id, current: .copy),
            appSwitch: AppSwitchModel("copy", "\(app.name), copy", on: app, services) {
                Links.copy($0)
            }, appID: app.id,
            totalText: count == whole
                ? Format.count(whole, "text")
                : "\(Format.count(count)) of " + Format.count(whole, "text"),
            totalCount: String(whole),
            csvURL: Links.url(Links.copy(app.id, as: "csv"), listing.filterItems),
            filters: makeFilters(deck), segments: makeSegments(deck),
            deck: count == 0 ? nil : .init(rows: shown.map { makeRow($0.row, isShown: $0.fits) }),
            empty: count == 0
                ? .noMatches(
                    "No text fits",
                    "There are \(Format.count(whole, "text")) without these filters.",
                    drawing: .mail, all: Links.copy(app.id)) : nil,
            frames: initialScreen.map { [.init(app, $0.id, name: $0.id)] } ?? [])
    }

    /// The rows that fit, in the deck's order; throws a `Problem` that names
    /// the value there is no choice of.
    static func filtered(_ deck: CopyDeck, _ asked: [String: String], of app: App) throws(Problem)
        -> [CopyDeck.Row]
    {
        let source = try Form.choice(
            asked["source"], named: "source", of: ["manifest", "templates"])
        let kind = try Form.choice(asked["kind"], named: "kind", of: deck.kinds)
        let screen = asked["screen"]?.nonEmpty
        if let screen, app.screen(screen) == nil { throw .unknownScreen(screen) }
        let words = searchWords(asked)
        return deck.rows.filter { row in
            if let source, source != (row.manifestPath == nil ? "templates" : "manifest") {
                return false
            }
            if let kind, row.kind != kind { return false }
            if let screen, !row.locations.contains(where: { $0.screen == screen }) { return false }
            return matches(row, words)
        }
    }

    private static func searchWords(_ asked: [String: String]) -> [Substring] {
        (asked["q"]?.lowercased() ?? "").split(whereSeparator: \.isWhitespace)
    }

    private static func matches(_ row: CopyDeck.Row, _ words: [Substring]) -> Bool {
        let text = "\(row.text) \(row.manifestPath ?? "") \(row.file)".lowercased()
        return words.allSatisfy { text.contains($0) }
    }

    /// The rows to take along, with a head.
    static func csvRows(_ rows: [CopyDeck.Row]) -> [[String]] {
        [["text", "kind", "file", "line", "path", "screens", "characters"]]
            + rows.map { row in
                [
                    row.text, row.kind, row.file,
                    row.line.map(String.init) ?? "", row.manifestPath ?? "",
                    row.locations.map(\.screen).joined(separator: " "),
                    String(row.text.count),
                ]
            }
    }

    /// The screen that is shown before a text was chosen.
    private var initialScreen: Screen? {
        app.screens.first { $0.id == query["screen"] } ?? app.screens.first { $0.kind == .form }
            ?? app.screens.first
    }

    private func makeRow(_ row: CopyDeck.Row, isShown: Bool) -> CopyModel.Row {
        let shown = row.locations.prefix(Self.screenLimit)
        let rest = row.locations.count - shown.count
        return CopyModel.Row(
            number: String(row.number), copyText: row.text, kind: row.kind,
            location: row.file + (row.line.map { ":\($0)" } ?? ""), manifestPath: row.manifestPath,
            screens: shown.map { place in
                .init(
                    screenName: place.state == "default"
                        ? place.screen : "\(place.screen), \(place.state)",
                    href: Links.storyboardState(app.id, place.key))
            }, moreScreens: rest > 0 ? "\(Format.count(rest)) more" : nil,
            characterCount: Format.count(row.text.count),
            occurrences: row.occurrenceCount > 1 ? Format.count(row.occurrenceCount, "time") : nil,
            occurrencesURL: Links.url(Links.copy(app.id), [("q", row.text)]),
            previewURL: row.locations.first.map {
                Links.tile(app.id, $0.key, size: DeviceSizes.all[0].id)
            }, isHidden: !isShown)
    }

    // MARK: Filters

    private func makeFilters(_ deck: CopyDeck) -> FiltersModel {
        FiltersModel(
            filterID: "copy", action: listing.path, query: query["q"] ?? "",
            searchLabel: "Search texts", placeholder: "words, path, file",
            hiddenFields: listing.filterItems.compactMap { name, value in
                name == "q" ? nil : value.map { .init(hiddenName: name, hiddenValue: $0) }
            }, segmentEventKinds: "", filterPartURL: listing.partURL,
            menus: [
                .init(
                    "screen", "Screen", of: app.screens.map { ($0.id, $0.id) },
                    chosen: query["screen"]
                ) { listing.url(["screen": $0]) },
                .init("kind", "Kind", of: deck.kinds.map { ($0, $0) }, chosen: query["kind"]) {
                    listing.url(["kind": $0])
                },
            ], summary: query["source"]?.capitalizedFirst ?? "All")
    }

    private func makeSegments(_ deck: CopyDeck) -> [FiltersModel.Segment] {
        [nil, "manifest", "templates"].map { source in
            let count = deck.rows.count {
                source == nil || ($0.manifestPath != nil) == (source == "manifest")
            }
            return .init(
                segmentID: "copy.source.\(source ?? "all")",
                name: source?.capitalizedFirst ?? "All", segmentCount: Format.count(count),
                href: listing.url(["source": source]), current: query["source"] == source)
        }
    }
}

extension CopyDeck.ScreenLocation {
    var key: StateRecording.Key { StateRecording.Key(screen: screen, state: state) }
}
