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

    private var app: App { page.app }
    private var shownApps: [App] { [app] + [comparedApp].compactMap(\.self) }

    func build() throws -> Page {
        let results = shownApps.reduce(into: [:]) { results, app in
            results.merge(page.playbackResults(of: app)) { $1 }
        }
        let kind = query["kind"].flatMap(StateKind.init)
        let boards = shownApps.compactMap { makeBoard($0, kind, results) }
        let unfilteredURL = query.link(["screen": nil, "kind": nil])
        let empty: TemplateModel? =
            boards.isEmpty
            ? .noMatches(
                "No matching states", "No state of \(app.name) matches these filters.",
                drawing: .key, all: unfilteredURL) : nil
        return Page(
            .board, of: app, page.services, url: query.link(),
            otherURL: { other in
                query.link(
                    selecting: nil, changing: ["compare": nil, "screen": nil],
                    path: Links.storyboard(other))
            },
            [
                "appName": app.name, "status": makeStatus(results),
                "rerenderAction": Links.rerenderStoryboard(app.id), "boardURL": query.link(),
                "exportURL": Links.url(
                    Links.exportStoryboard(app.id), query.displayItems(for: app)),
                "sizeMenu": query.sizeMenu(),
                "appearanceMenu": query.appearanceMenu(for: shownApps),
                "menus": [
                    query.screenMenu(of: app) { (kind ?? $0.kind) == $0.kind }, kindMenu,
                    comparisonMenu,
                ],
                "activeFilters": makeActiveFilters(kind), "clearURL": unfilteredURL,
                "zoom": zoom, "sizeID": query["size"], "boards": boards, "empty": empty,
                "panel": try makePanel(results),
            ])
    }

    // MARK: Tiles

    private func makeBoard(_ app: App, _ kind: StateKind?, _ results: [StateID: PlaybackResult])
        -> TemplateModel?
    {
        let columns = app.screens.filter { [nil, $0.id].contains(query["screen"]) }.map { screen in
            app.storyboardStates(of: screen).filter { (kind ?? $0.kind) == $0.kind }
        }.filter { !$0.isEmpty }
        guard !columns.isEmpty, let size = query.size else { return nil }
        let names = columns.map { $0[0].screen.id }
        // An edge ends at a screen's default state, so other kinds of state get none.
        let graph = page.services.screenGraph(of: app)
        let edges = [nil, .initial].contains(kind) ? BoardEdge.all(of: graph, between: names) : []
        return [
            "boardID": app.id, "boardName": app.name,
            // Shown with the name above the board if two apps are compared.
            "boardGlyph": comparedApp == nil ? nil : GlyphModel(app),
            "drawing": BoardDrawing(edges, rows: columns.map(\.count), size: size),
            "columns": zip(names, columns).map { name, states -> TemplateModel in
                [
                    "columnName": name, "columnCount": states.count,
                    "tiles": states.map { makeTile($0, results[$0.id]) },
                ]
            }, "edgeDescriptions": edges.map { $0.description(columns: names) },
        ]
    }

    private func makeTile(_ state: StoryboardState, _ result: PlaybackResult?) -> TemplateModel {
        let name = "\(state.screen.id).\(state.name)"
        return [
            "tileID": state.app.id == app.id ? name : "\(state.app.id).\(name)",
            "tileURL": query.link(selecting: state.id), "state": state.model,
            "isSelected": query.selectedState == state.id,
            "frameURL": Links.tile(state.id, query.displayItems(for: state.app)),
            "statusBarStyle": state.app.resolvedAppearance(for: query.appearance).statusBarClass,
            "failure": result?.status.failure,
        ]
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
        let states = shownApps.flatMap(\.storyboardStates)
        let last = results.values.map(\.recording.playedAt).max()
        let failures = [RenderStatus.Kind.broken, .unreachable].compactMap {
            kind -> TemplateModel? in
            let failed = states.map(\.id).filter { results[$0]?.status.kind == kind }
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
