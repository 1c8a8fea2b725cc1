import Apps
import Core
import FoundationEssentials
import Simulator
import Storyboards
import Web

/// Builds the model of the board page for one app, or for two side by side. Plays no state.
struct BoardBuilder {
    let page: StoryboardPage
    let query: BoardQuery
    let comparedApp: App?

    private var app: App { page.app }
    private var shownApps: [App] { [app] + [comparedApp].compactMap(\.self) }

    func build() async throws -> Page<BoardModel> {
        let results = shownApps.map(page.playbackResults)
        let boards = zip(shownApps, results).compactMap(makeBoard)
        return page.makePage(
            "\(app.name) storyboard", url: query.pageURL,
            BoardModel(
                appName: app.name,
                appSwitch: page.appSwitch("storyboard", "\(app.name) storyboard") { other in
                    query.link {
                        $0.app = other
                        $0.comparedAppID = nil
                        $0.screen = nil
                        $0.selected = nil
                    }
                }, status: makeStatus(results), rerenderAction: Links.rerenderStoryboard(app.id),
                boardURL: query.link, exportURL: exportURL(nil), downloadURL: exportURL("1"),
                sizes: .sizes(chosen: query.size.id) { size in query.link { $0.size = size } },
                appearanceChoices: shownApps.contains { $0.appearance == .system }
                    ? .init(Device.Display.Appearance.allCases, chosen: query.appearance) {
                        chosen in query.link { $0.appearance = chosen }
                    } : nil, tabs: StoryboardTabModel.all(of: app.id, current: .board),
                menus: [screenMenu, kindMenu, comparisonMenu], activeFilters: activeFilters,
                clearURL: query.isFiltered ? unfilteredURL : nil, zoom: zoom,
                sizeClass: "phone-\(query.size.id)", boards: boards,
                empty: boards.isEmpty
                    ? .noMatches(
                        "No matching states", "No state of \(app.name) matches these filters.",
                        drawing: .key, all: unfilteredURL) : nil, panel: try makePanel(results)))
    }

    private var unfilteredURL: String {
        query.link {
            $0.screen = nil
            $0.kind = nil
        }
    }

    private func exportURL(_ download: String?) -> String {
        Links.url(
            Links.exportStoryboard(app.id),
            [
                ("size", query.size.id),
                ("appearance", app.appearance == .system ? query.appearance.rawValue : nil),
                ("download", download),
            ])
    }

    // MARK: Tiles

    private func makeBoard(_ app: App, _ results: [StateID: PlaybackResult]) -> BoardModel.Board? {
        let columns = app.screens.map { app.storyboardStates(of: $0).filter(query.matches) }
            .filter { !$0.isEmpty }
        guard !columns.isEmpty else { return nil }
        let names = columns.map { $0[0].screen.id }
        // An edge ends at a screen's default state, so other kinds of state get none.
        let edges =
            [nil, .initial].contains(query.kind) ? BoardEdge.all(of: app, between: names) : []
        return BoardModel.Board(
            boardID: app.id, boardName: app.name, boardGlyph: GlyphModel(app),
            showsName: comparedApp != nil,
            drawing: BoardDrawing(edges, rows: columns.map(\.count), size: query.size),
            columns: zip(names, columns).map { name, states in
                .init(
                    columnName: name, columnCount: "\(states.count)",
                    tiles: states.map { makeTile($0, results[$0.id]) })
            }, edgeDescriptions: edges.map { $0.description(columns: names) })
    }

    private func makeTile(_ state: StoryboardState, _ result: PlaybackResult?) -> BoardModel.Tile {
        let name = "\(state.screen.id).\(state.name)"
        let title = state.title
        return BoardModel.Tile(
            tileID: state.app.id == app.id ? name : "\(state.app.id).\(name)",
            tileURL: query.link { $0.selected = state.id }, tileTitle: title,
            stateName: state.cause == .initial ? nil : state.name,
            accessibilityLabel: "\(state.screen.id), \(title)",
            isSelected: query.selected == state.id,
            frameURL: Links.tile(
                state.id, size: query.size.id,
                appearance: state.app.appearance == .system ? query.appearance.rawValue : nil),
            statusBarStyle: state.app.resolvedAppearance(for: query.appearance).statusBarClass,
            failure: result?.renderStatus.failure)
    }

    private func makePanel(_ results: [[StateID: PlaybackResult]]) throws -> StatePanelModel? {
        guard let id = query.selected else { return nil }
        guard let index = shownApps.firstIndex(where: { $0.id == id.app }) else {
            throw Problem.unknownApp(id.app)
        }
        guard let state = shownApps[index].storyboardState(id.screen, id.state) else {
            throw Problem.unknownState("\(id.screen)/\(id.state)")
        }
        let result = results[index][id]
        return StatePanelBuilder(
            state: state, query: query, recording: result?.recording,
            renderStatus: result?.renderStatus ?? .notPlayed, origin: page.origin
        ).build()
    }

    // MARK: Status

    private func makeStatus(_ results: [[StateID: PlaybackResult]]) -> BoardModel.Status {
        let screens = shownApps.reduce(0) { $0 + $1.screens.count }
        let states = shownApps.reduce(0) { $0 + $1.storyboardStates.count }
        let last = results.flatMap(\.values).map(\.recording.playedAt).max()
        return .init(
            countText: Format.count(screens, "screen") + ", " + Format.count(states, "state"),
            renderedAt: last?.iso8601,
            renderedText: last.map { Format.ago($0, page.services.world.now()) },
            failures: [failureSummary(.broken, results), failureSummary(.unreachable, results)]
                .compactMap(\.self))
    }

    /// The number of tiles with this kind of failure, with a link to the first; nil if there are
    /// none.
    private func failureSummary(
        _ kind: RenderStatus.Failure.Kind, _ results: [[StateID: PlaybackResult]]
    ) -> BoardModel.FailureSummary? {
        let failedTiles = zip(shownApps, results).flatMap { app, results in
            app.storyboardStates.map(\.id).filter {
                results[$0]?.renderStatus.failure?.kind == kind
            }
        }
        guard let first = failedTiles.first else { return nil }
        return .init(
            failureKind: kind.rawValue, text: "\(failedTiles.count) \(kind.rawValue)",
            tone: kind == .broken ? .bad : .warn,
            failureURL: query.link {
                $0.screen = nil
                $0.kind = nil
                $0.selected = first
            })
    }

    // MARK: Controls

    private var zoom: BoardModel.Zoom {
        let (steps, percent) = (BoardQuery.zoomSteps, query.zoom)
        let step = steps.last { $0 <= percent } ?? steps[0]
        let smaller = steps.last { $0 < percent } ?? percent
        let larger = steps.first { $0 > percent } ?? percent
        return .init(
            stepName: "z\(step)", percent: percent, text: "\(percent)%",
            zoomOutURL: query.link { $0.zoom = smaller },
            zoomInURL: query.link { $0.zoom = larger }, isZoomedOut: percent < 20)
    }

    private var activeFilters: [BoardModel.ActiveFilter] {
        [
            query.screen.map { screen in
                .init(text: "Screen: \(screen)", removeURL: query.link { $0.screen = nil })
            },
            query.kind.map { kind in
                .init(text: "State: \(kind.label)", removeURL: query.link { $0.kind = nil })
            },
        ].compactMap(\.self)
    }

    private var screenMenu: ChoiceMenuModel {
        .screens(of: app, chosen: query.screen) { state in
            (query.kind ?? state.kind) == state.kind
        } link: { screen in
            query.link { $0.screen = screen }
        }
    }

    private var kindMenu: ChoiceMenuModel {
        let states = shownApps.flatMap(\.storyboardStates).filter {
            (query.screen ?? $0.screen.id) == $0.screen.id
        }
        let kinds = StateKind.allCases.map { kind -> ChoiceMenuModel.Value in
            (kind.rawValue, kind.label, states.count { $0.kind == kind })
        }
        return .init("kind", "State", of: kinds, chosen: query.kind?.rawValue) { kind in
            query.link { $0.kind = kind.flatMap(StateKind.init) }
        }
    }

    private var comparisonMenu: ChoiceMenuModel {
        let others = page.services.appCatalog.apps.filter { $0.id != app.id }
        return .init(
            "compare", "Compare with", none: "None", of: others.map { ($0.id, $0.name, nil) },
            chosen: comparedApp?.id
        ) { other in
            query.link {
                $0.comparedAppID = other
                $0.selected = nil
            }
        }
    }
}

extension ChoiceMenuModel {
    /// Lists the app's screens, each with the number of its states that satisfy `matching`.
    static func screens(
        of app: App, chosen: String?, matching: (StoryboardState) -> Bool = { _ in true },
        link: (String?) -> String
    ) -> ChoiceMenuModel {
        let screens = app.screens.map { screen -> Value in
            (screen.id, screen.id, app.storyboardStates(of: screen).count(where: matching))
        }
        return .init("screen", "Screen", of: screens, chosen: chosen, link: link)
    }
}
