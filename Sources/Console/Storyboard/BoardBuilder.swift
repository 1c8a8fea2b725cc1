import Apps
import Core
import FoundationEssentials
import Storyboards
import Web

/// Builds the model of the board page for one app, or for two side by side. Plays no state.
struct BoardBuilder {
    let page: StoryboardPage
    let query: StoryboardQuery
    let comparedApp: App?

    private var app: App { page.app }
    private var shownApps: [App] { [app] + [comparedApp].compactMap(\.self) }

    func build() throws -> Page<StoryboardPageModel<BoardModel>> {
        let results = shownApps.reduce(into: [:]) { results, app in
            results.merge(page.playbackResults(of: app)) { $1 }
        }
        let kind = query["kind"].flatMap(StateKind.init)
        let boards = shownApps.compactMap { makeBoard($0, kind, results) }
        let unfilteredURL = query.link(["screen": nil, "kind": nil])
        return Page(
            .board, of: app, page.services, url: query.link(),
            otherURL: { other in
                query.link(
                    selecting: nil, changing: ["compare": nil, "screen": nil],
                    path: Links.storyboard(other))
            },
            BoardModel(
                appName: app.name, status: makeStatus(results),
                rerenderAction: Links.rerenderStoryboard(app.id), boardURL: query.link(),
                exportURL: Links.url(
                    Links.exportStoryboard(app.id), query.displayItems(for: app)),
                sizeMenu: query.sizeMenu(), appearanceMenu: query.appearanceMenu(for: shownApps),
                menus: [
                    query.screenMenu(of: app) { (kind ?? $0.kind) == $0.kind }, kindMenu,
                    comparisonMenu,
                ], activeFilters: makeActiveFilters(kind),
                clearURL: unfilteredURL, zoom: zoom,
                sizeID: query["size"], boards: boards,
                empty: boards.isEmpty
                    ? .noMatches(
                        "No matching states", "No state of \(app.name) matches these filters.",
                        drawing: .key, all: unfilteredURL) : nil, panel: try makePanel(results)))
    }

    // MARK: Tiles

    private func makeBoard(_ app: App, _ kind: StateKind?, _ results: [StateID: PlaybackResult])
        -> BoardModel.Board?
    {
        let columns = app.screens.filter { [nil, $0.id].contains(query["screen"]) }.map { screen in
            app.storyboardStates(of: screen).filter { (kind ?? $0.kind) == $0.kind }
        }.filter { !$0.isEmpty }
        guard !columns.isEmpty, let size = query.size else { return nil }
        let names = columns.map { $0[0].screen.id }
        // An edge ends at a screen's default state, so other kinds of state get none.
        let edges = [nil, .initial].contains(kind) ? BoardEdge.all(of: app, between: names) : []
        return BoardModel.Board(
            boardID: app.id, boardName: app.name,
            boardGlyph: comparedApp == nil ? nil : GlyphModel(app),
            drawing: BoardDrawing(edges, rows: columns.map(\.count), size: size),
            columns: zip(names, columns).map { name, states in
                .init(
                    columnName: name, columnCount: states.count,
                    tiles: states.map { makeTile($0, results[$0.id]) })
            }, edgeDescriptions: edges.map { $0.description(columns: names) })
    }

    private func makeTile(_ state: StoryboardState, _ result: PlaybackResult?) -> BoardModel.Tile {
        let name = "\(state.screen.id).\(state.name)"
        return BoardModel.Tile(
            tileID: state.app.id == app.id ? name : "\(state.app.id).\(name)",
            tileURL: query.link(selecting: state.id), state: state,
            isSelected: query.selectedState == state.id,
            frameURL: Links.tile(state.id, query.displayItems(for: state.app)),
            statusBarStyle: state.app.resolvedAppearance(for: query.appearance).statusBarClass,
            failure: result?.status.failure)
    }

    private func makePanel(_ results: [StateID: PlaybackResult]) throws -> StatePanelModel? {
        guard let id = query.selectedState else { return nil }
        guard let app = shownApps.first(where: { $0.id == id.app }) else {
            throw Problem.unknownApp(id.app)
        }
        guard let state = app.storyboardState(id.screen, id.state) else {
            throw Problem.unknownState("\(id.screen)/\(id.state)")
        }
        return StatePanelModel(
            state, results[id]?.recording, results[id]?.status ?? .notPlayed, query,
            origin: page.origin)
    }

    // MARK: Status

    private func makeStatus(_ results: [StateID: PlaybackResult]) -> BoardModel.Status {
        let states = shownApps.flatMap(\.storyboardStates)
        let last = results.values.map(\.recording.playedAt).max()
        return .init(
            countText: Format.count(shownApps.flatMap(\.screens).count, "screen") + ", "
                + Format.count(states.count, "state"),
            renderedAt: last?.iso8601,
            renderedText: last.map { Format.ago($0, page.services.world.now()) },
            failures: [RenderStatus.Kind.broken, .unreachable].compactMap { kind in
                let failed = states.map(\.id).filter { results[$0]?.status.kind == kind }
                guard let first = failed.first, let chip = results[first]?.status.chip else {
                    return nil
                }
                return .init(
                    failureKind: kind, failureCount: failed.count, tone: chip.tone,
                    failureURL: query.link(
                        selecting: first, changing: ["screen": nil, "kind": nil]))
            })
    }

    // MARK: Controls

    private var zoom: BoardModel.Zoom {
        let (steps, percent) = (StoryboardQuery.zoomSteps, query.zoom)
        let step = steps.last { $0 <= percent } ?? steps[0]
        let smaller = steps.last { $0 < percent } ?? percent
        let larger = steps.first { $0 > percent } ?? percent
        return .init(
            step: step, percent: percent,
            zoomOutURL: query.link(["zoom": "\(smaller)"]),
            zoomInURL: query.link(["zoom": "\(larger)"]), isZoomedOut: percent < 20)
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
        let states = shownApps.flatMap(\.storyboardStates).filter {
            (query["screen"] ?? $0.screen.id) == $0.screen.id
        }
        return query.menu("kind", "State", of: StateKind.allCases.map { ($0.rawValue, $0.label) }) {
            kind in states.count { $0.kind.rawValue == kind }
        }
    }

    private var comparisonMenu: ChoiceMenuModel {
        let others = page.services.appCatalog.apps.filter { $0.id != app.id }
        return ChoiceMenuModel(
            "compare", "Compare with", none: ("none", "None"), of: others.map { ($0.id, $0.name) },
            chosen: comparedApp?.id
        ) { query.link(selecting: nil, changing: ["compare": $0]) }
    }
}

extension StoryboardQuery {
    /// The app's screens, each with the number of its states that satisfy `matching`.
    func screenMenu(of app: App, matching: (StoryboardState) -> Bool = { _ in true })
        -> ChoiceMenuModel
    {
        let counts = app.screens.map { screen in
            (screen.id, app.storyboardStates(of: screen).count(where: matching))
        }
        let countsByScreen = Dictionary(uniqueKeysWithValues: counts)
        return menu("screen", "Screen", of: app.screens.map { ($0.id, $0.id) }) {
            countsByScreen[$0] ?? 0
        }
    }
}

extension StoryboardState {
    /// `login, Error 401`.
    var fullTitle: String { "\(screen.id), \(title)" }
}

/// Every screen of an app in every state (`storyboard/board`).
///
/// Parts: `panel` (`storyboard/panel`), `status` (`storyboard/status`).
struct BoardModel: Encodable, Sendable {
    var appName: String
    var status: Status
    /// POST.
    var rerenderAction: String
    /// This page, as the return target of forms.
    var boardURL: String
    /// The board as one HTML document, as displayed here.
    var exportURL: String
    var sizeMenu: ChoiceMenuModel
    /// Nil unless one of the shown apps follows the system appearance.
    var appearanceMenu: ChoiceMenuModel?
    /// Screen, state kind, compared app.
    var menus: [ChoiceMenuModel]
    /// Links that remove a filter.
    var activeFilters: [TextLinkModel]
    var clearURL: String
    var zoom: Zoom
    var sizeID: String?
    var boards: [Board]
    /// Nil if there are boards.
    var empty: EmptyStateModel?
    /// The selected state.
    var panel: StatePanelModel?

    struct Status: Encodable, Sendable {
        /// `6 screens, 52 states`.
        var countText: String
        /// ISO 8601; nil until a state has been played.
        var renderedAt: String?
        /// `12 s ago`.
        var renderedText: String?
        /// States without a screen, by kind of failure.
        var failures: [FailureSummary]
    }

    struct FailureSummary: Encodable, Sendable {
        /// `broken`, `unreachable`.
        var failureKind: RenderStatus.Kind
        var failureCount: Int
        var tone: ChipModel.Tone
        /// Selects the first of these states.
        var failureURL: String
    }

    struct Zoom: Encodable, Sendable {
        /// The step it is rendered at until a script applies `percent`.
        var step: Int
        var percent: Int
        /// Links to the next smaller and larger step; to this page at either end.
        var zoomOutURL: String
        var zoomInURL: String
        /// Whether the zoom is too small for text on the board.
        var isZoomedOut: Bool
    }

    /// The board of one app.
    struct Board: Encodable, Sendable {
        var boardID: String
        var boardName: String
        /// Shown with the name above it if two apps are compared; otherwise nil.
        var boardGlyph: GlyphModel?
        var drawing: BoardDrawing
        var columns: [Column]
        /// `login leads to map: Login`.
        var edgeDescriptions: [String]
    }

    struct Column: Encodable, Sendable {
        var columnName: String
        var columnCount: Int
        var tiles: [Tile]
    }

    struct Tile: Encodable, Sendable {
        /// `login.default`; prefixed with the app id for the second app.
        var tileID: String
        var tileURL: String
        var state: StoryboardState
        var isSelected: Bool
        var frameURL: String
        /// A CSS class for the status bar: `on-dark`.
        var statusBarStyle: String
        /// Why the tile shows no screen; nil if it shows one or was not played yet.
        var failure: RenderStatus?
    }
}
