import Apps
import Web

/// Narrows an app's deck of texts to what is asked for.
struct CopyBuilder {
    let services: Services
    let frames: FrameBuilder
    let app: App
    let workspace: String
    let csrf: String
    let listing: Listing

    static let filters = ["source", "screen", "kind", "q"]

    /// So many screens stand in a row; the others are counted.
    private static let shownScreens = 3

    private var asked: [String: String] { listing.asked }

    func build() async throws -> CopyModel {
        let deck = CopyDeck(app, services.catalogue.texts(ofApp: app.id), services.templates)
        // What a search leaves out is there, hidden: other words are found
        // as they are typed.
        let searched = Self.words(asked)
        let shown = try Self.narrowed(deck, asked.filter { $0.key != "q" }, of: app).map {
            (row: $0, fits: Self.fits($0, searched))
        }
        let count = shown.count(where: \.fits)
        let whole = deck.rows.count
        return CopyModel(
            frame: try await frames.frame(
                "\(app.name), copy", place: "storyboard", workspace: workspace, csrf: csrf,
                partURL: listing.partURL, script: "copy.js"), csrf: csrf,
            ways: WayModel.all(of: app.id, current: .copy),
            appSwitch: AppSwitchModel("copy", "\(app.name), copy", on: app, services) {
                Links.copy($0)
            }, appID: app.id,
            totalText: count == whole
                ? Words.count(whole, "text")
                : "\(Words.count(count)) of " + Words.count(whole, "text"), whole: String(whole),
            csvURL: Links.query(Links.copy(app.id, as: "csv"), listing.items),
            filters: filters(deck), segments: segments(deck),
            deck: count == 0 ? nil : .init(rows: shown.map { row($0.row, $0.fits) }),
            empty: count == 0
                ? .nothingFits(
                    "No text fits",
                    "There are \(Words.count(whole, "text")) without these filters.",
                    drawing: .mail, all: Links.copy(app.id)) : nil,
            frames: first.map { [.init(app, $0.id, name: $0.id)] } ?? [])
    }

    /// The rows that fit, in the deck's order; throws a `Problem` that names
    /// the value there is no choice of.
    static func narrowed(_ deck: CopyDeck, _ asked: [String: String], of app: App) throws(Problem)
        -> [CopyDeck.Row]
    {
        let source = try Form.choice(
            asked["source"], named: "source", of: ["manifest", "templates"])
        let kind = try Form.choice(asked["kind"], named: "kind", of: deck.kinds)
        let screen = asked["screen"]?.given
        if let screen, app.screen(screen) == nil { throw .unknownScreen(screen) }
        let words = words(asked)
        return deck.rows.filter { row in
            if let source, source != (row.path == nil ? "templates" : "manifest") { return false }
            if let kind, row.kind != kind { return false }
            if let screen, !row.places.contains(where: { $0.screen == screen }) { return false }
            return fits(row, words)
        }
    }

    private static func words(_ asked: [String: String]) -> [Substring] {
        (asked["q"]?.lowercased() ?? "").split(whereSeparator: \.isWhitespace)
    }

    private static func fits(_ row: CopyDeck.Row, _ words: [Substring]) -> Bool {
        let text = "\(row.text) \(row.path ?? "") \(row.file)".lowercased()
        return words.allSatisfy { text.contains($0) }
    }

    /// The rows to take along, with a head.
    static func table(_ rows: [CopyDeck.Row]) -> [[String]] {
        [["text", "kind", "file", "line", "path", "screens", "characters"]]
            + rows.map { row in
                [
                    row.text, row.kind, row.file,
                    row.line.map(String.init) ?? "", row.path ?? "",
                    row.places.map(\.screen).joined(separator: " "),
                    String(row.text.count),
                ]
            }
    }

    /// The screen that is shown before a text was chosen.
    private var first: Screen? {
        app.screens.first { $0.id == asked["screen"] } ?? app.screens.first { $0.kind == .form }
            ?? app.screens.first
    }

    private func row(_ row: CopyDeck.Row, _ isShown: Bool) -> CopyModel.Row {
        let shown = row.places.prefix(Self.shownScreens)
        let rest = row.places.count - shown.count
        return CopyModel.Row(
            number: String(row.number), copyText: row.text, kind: row.kind,
            place: row.file + (row.line.map { ":\($0)" } ?? ""), path: row.path,
            screens: shown.map { place in
                .init(
                    screenName: place.state == "default"
                        ? place.screen : "\(place.screen), \(place.state)",
                    href: Links.scene(app.id, place.key))
            }, moreScreens: rest > 0 ? "\(Words.count(rest)) more" : nil,
            length: Words.count(row.text.count),
            times: row.times > 1 ? Words.count(row.times, "time") : nil,
            timesURL: Links.query(Links.copy(app.id), [("q", row.text)]),
            showURL: row.places.first.map {
                Links.tile(app.id, $0.key, size: DeviceSizes.all[0].id)
            }, isHidden: !isShown)
    }

    // MARK: Filters

    private func filters(_ deck: CopyDeck) -> FiltersModel {
        FiltersModel(
            filterID: "copy", action: listing.path, query: asked["q"] ?? "",
            searchLabel: "Search texts", placeholder: "words, path, file",
            kept: listing.items.compactMap { name, value in
                name == "q" ? nil : value.map { .init(keptName: name, keptValue: $0) }
            }, segmentKinds: "", filterURL: listing.partURL,
            menus: [
                .init(
                    "screen", "Screen", of: app.screens.map { ($0.id, $0.id) },
                    chosen: asked["screen"]
                ) { listing.link(["screen": $0]) },
                .init("kind", "Kind", of: deck.kinds.map { ($0, $0) }, chosen: asked["kind"]) {
                    listing.link(["kind": $0])
                },
            ], summary: asked["source"]?.capitalizedFirst ?? "All")
    }

    private func segments(_ deck: CopyDeck) -> [FiltersModel.Segment] {
        [nil, "manifest", "templates"].map { source in
            let count = deck.rows.count {
                source == nil || ($0.path != nil) == (source == "manifest")
            }
            return .init(
                segmentID: "copy.source.\(source ?? "all")",
                name: source?.capitalizedFirst ?? "All", segmentCount: Words.count(count),
                href: listing.link(["source": source]), current: asked["source"] == source)
        }
    }
}

extension CopyDeck.Place { var key: Scene.Key { Scene.Key(screen: screen, state: state) } }
