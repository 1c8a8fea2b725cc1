import Apps
import Core
import Simulator
import Storyboards
import Templates
import Web

/// Builds the model of the board page for one app, or for two side by side. Plays no state.
struct BoardBuilder {
    let page: StoryboardPage
    let query: StoryboardQuery
    let comparedApp: App?

    private let shownApps: [App]
    /// Of all shown apps.
    private let states: [StoryboardState]

    private let renderedBoards: Cache

    typealias Cache = SharedCache<RenderedBoards.Key, RenderedBoards>

    init(
        page: StoryboardPage, query: StoryboardQuery, comparedApp: App?, renderedBoards: Cache
    ) {
        self.page = page
        self.renderedBoards = renderedBoards
        self.query = query
        self.comparedApp = comparedApp
        shownApps = [page.app] + [comparedApp].compactMap(\.self)
        states = shownApps.flatMap(page.services.storyboardStates)
    }

    private var app: App { page.app }

    func build() throws -> Page {
        let results = shownApps.reduce(into: [:]) { results, app in
            results.merge(page.playbackResults(of: app)) { $1 }
        }
        let kind = query["kind"].flatMap(StateKind.init)
        let unfilteredURL = query.link(["screen": nil, "kind": nil])
        let empty: TemplateModel? =
            states.contains { matches($0, kind) }
            ? nil
            : .noMatches(
                "No matching states", "No state of \(app.name) matches these filters.",
                drawing: .key, all: unfilteredURL)
        let model: TemplateModel = [
            "appName": app.name, "status": makeStatus(results),
            "rerenderAction": Links.rerenderStoryboard(app.id), "boardURL": query.link(),
            "exportURL": Links.url(
                Links.exportStoryboard(app.id), query.displayItems(for: app)),
            "pdfURL": Links.url(Links.storyboardPDF(app.id), query.displayItems(for: app)),
            "displayMenus": displayMenus,
            "menus": [
                query.screenMenu(of: app, states) { (kind ?? $0.kind) == $0.kind }, kindMenu,
                comparisonMenu,
            ],
            "activeFilters": makeActiveFilters(kind), "clearURL": unfilteredURL,
            "zoom": zoom, "empty": empty, "panel": try makePanel(results),
        ]
        return Page(
            .board, of: app, page.services, url: query.link(),
            otherURL: { other in
                query.link(
                    selecting: nil, changing: ["compare": nil, "screen": nil],
                    path: Links.storyboard(other))
            },
            model.deferring("boardsHTML") { try renderBoards(kind, results) })
    }

    /// Whether the filters select a state.
    private func matches(_ state: StoryboardState, _ kind: StateKind?) -> Bool {
        (kind ?? state.kind) == state.kind
            && (query["screen"] ?? state.screen.id) == state.screen.id
    }

    // MARK: Tiles

    /// The boards of the shown apps, rendered once for a manifest, its failures and a query: an app
    /// may have thousands of states.
    private func renderBoards(_ kind: StateKind?, _ results: [StateID: PlaybackResult]) throws
        -> String
    {
        let failures = results.compactMapValues(\.status.failure)
        let templates = page.services.templates
        let key = RenderedBoards.Key(
            apps: shownApps.map(ObjectIdentifier.init), query: query.values,
            failures: failures.mapValues { [$0.kind.rawValue, $0.reason ?? ""] },
            templatesVersion: templates.version)
        return try renderedBoards.value(for: key) {
            let boards = shownApps.compactMap { makeBoard($0, kind, failures) }
            let html = try templates.render("storyboard/boards", ["boards": boards])
            return RenderedBoards(apps: shownApps, html: String(decoding: html, as: UTF8.self))
        }.html
    }

    private func makeBoard(_ app: App, _ kind: StateKind?, _ failures: [StateID: RenderStatus])
        -> TemplateModel?
    {
        let byScreen = Dictionary(
            grouping: states.filter { $0.app === app && matches($0, kind) }, by: \.screen.id)
        let columns = app.screens.compactMap { byScreen[$0.id] }
        guard !columns.isEmpty else { return nil }
        let names = columns.map { $0[0].screen.id }
        let sizes = query.phones(for: app).map(\.size)
        // An edge ends at a screen's default state, so other kinds of state get none.
        let graph = page.services.screenGraph(of: app)
        let edges = [nil, .initial].contains(kind) ? BoardEdge.all(of: graph, between: names) : []
        return [
            "boardID": app.id, "boardName": app.name,
            // Shown with the name above the board if two apps are compared.
            "boardGlyph": comparedApp == nil ? nil : GlyphModel(app),
            "skeleton": GlyphModel(app), "hasSeveralPhones": sizes.count > 1,
            "drawing": BoardDrawing(edges, rows: columns.map(\.count), sizes: sizes),
            "columns": zip(names, columns).map { name, states -> TemplateModel in
                [
                    "columnName": name, "columnCount": states.count,
                    "tiles": states.map { makeTile($0, failures[$0.id]) },
                ]
            }, "edgeDescriptions": edges.map { $0.description(columns: names) },
        ]
    }

    private func makeTile(_ state: StoryboardState, _ failure: RenderStatus?) -> TemplateModel {
        let name = "\(state.screen.id).\(state.name)"
        return [
            "tileID": state.app.id == app.id ? name : "\(state.app.id).\(name)",
            "tileURL": query.link(selecting: state.id), "state": state.model,
            "isSelected": query.selectedState == state.id,
            "phones": makePhones(state), "failure": failure,
        ]
    }

    private func makePhones(_ state: StoryboardState) -> [TemplateModel] {
        let phones = query.phones(for: state.app)
        return phones.map { size, appearance in
            let hasAppearance = state.app.appearance == .system
            return [
                "sizeID": size.id, "phoneName": query.name(of: (size, appearance), among: phones),
                "frameURL": Links.tile(
                    state.id,
                    [("size", size.id), ("appearance", hasAppearance ? appearance.rawValue : nil)]),
                "statusBarStyle": state.app.resolvedAppearance(for: appearance).statusBarClass,
            ]
        }
    }

    private func makePanel(_ results: [StateID: PlaybackResult]) throws -> TemplateModel? {
        guard let id = query.selectedState else { return nil }
        guard let app = shownApps.first(where: { $0.id == id.app }) else {
            throw Problem.unknownApp(id.app)
        }
        guard let state = app.storyboardState(id.screen, id.state) else {
            throw Problem.unknownState("\(id.screen)/\(id.state)")
        }
        return state.panel(
            results[id], page.services.screenGraph(of: app), query, origin: page.origin)
    }

    // MARK: Status

    private func makeStatus(_ results: [StateID: PlaybackResult]) -> TemplateModel {
        let last = results.values.map(\.recording.playedAt).max()
        let failures = [RenderStatus.Kind.broken, .unreachable].compactMap {
            kind -> TemplateModel? in
            let failed =
                results.isEmpty
                ? [] : states.map(\.id).filter { results[$0]?.status.kind == kind }
            guard let first = failed.first, let chip = results[first]?.status.chip else {
                return nil
            }
            return [
                "failureKind": kind, "failureCount": failed.count, "tone": chip.tone,
                "failureURL": query.link(
                    selecting: first, changing: ["screen": nil, "kind": nil]),
            ]
        }
        return [
            "countText": Format.count(shownApps.flatMap(\.screens).count, "screen") + ", "
                + Format.count(states.count, "state"), "renderedAt": last?.iso8601,
            "renderedText": last.map { Format.ago($0, page.services.world.now()) },
            "failures": failures,
        ]
    }

    // MARK: Controls

    private var zoom: TemplateModel {
        let (steps, percent) = (StoryboardQuery.zoomSteps, query.zoom)
        let smaller = steps.last { $0 < percent } ?? percent
        let larger = steps.first { $0 > percent } ?? percent
        return [
            // The step it is rendered at until a script applies the percentage.
            "step": steps.last { $0 <= percent } ?? steps[0], "percent": percent,
            "zoomOutURL": query.link(["zoom": "\(smaller)"]),
            "zoomInURL": query.link(["zoom": "\(larger)"]),
            // Too small for text on the board.
            "isZoomedOut": percent < 20,
        ]
    }

    private func makeActiveFilters(_ kind: StateKind?) -> [TextLinkModel] {
        [
            query["screen"].map {
                .init(name: "Screen: \($0)", href: query.link(["screen": nil]))
            },
            kind.map { .init(name: "State: \($0.label)", href: query.link(["kind": nil])) },
        ].compactMap(\.self)
    }

    private var kindMenu: ChoiceMenuModel {
        let counts = Dictionary(
            states.filter { (query["screen"] ?? $0.screen.id) == $0.screen.id }.map {
                ($0.kind.rawValue, 1)
            }, uniquingKeysWith: +)
        return query.menu("kind", "State", of: StateKind.allCases.map { ($0.rawValue, $0.label) }) {
            counts[$0] ?? 0
        }
    }

    /// The display options, each with that of a second phone beside.
    private var displayMenus: [ChoiceMenuModel] {
        let none = (id: "none", name: "None")
        return [
            query.sizeMenu().with(query.sizeMenu("besideSize", "Second phone", none: none)),
            query.appearanceMenu(for: shownApps)?.with(
                query.appearanceMenu("besideAppearance", "Second phone", none: none, for: shownApps)
            ),
        ].compactMap(\.self)
    }

    private var comparisonMenu: ChoiceMenuModel {
        let others = page.services.appCatalog.apps.filter { $0.id != app.id }
        return ChoiceMenuModel(
            "compare", "Compare with", none: ("none", "None"), of: others.map { ($0.id, $0.name) },
            chosen: comparedApp?.id
        ) { query.link(selecting: nil, changing: ["compare": $0]) }
    }
}

/// The rendered boards of one or two apps.
struct RenderedBoards: Sendable {
    /// Kept, so that their identifiers are not used for other apps.
    let apps: [App]
    let html: String

    struct Key: Hashable {
        let apps: [ObjectIdentifier]
        let query: [String: String]
        /// The kind and reason of each state without a screen.
        let failures: [StateID: [String]]
        let templatesVersion: Int
    }
}

extension StoryboardQuery {
    /// The app's screens, each with the number of its states that satisfy `matching`.
    func screenMenu(
        of app: App, _ states: [StoryboardState],
        matching: (StoryboardState) -> Bool = { _ in true }
    ) -> ChoiceMenuModel {
        let counts = Dictionary(
            states.filter { $0.app === app && matching($0) }.map { ($0.screen.id, 1) },
            uniquingKeysWith: +)
        return menu("screen", "Screen", of: app.screens.map { ($0.id, $0.id) }) { counts[$0] ?? 0 }
    }
}

extension StoryboardState {
    /// `login, Error 401`.
    var fullTitle: String { "\(screen.id), \(title)" }
}
