import Apps
import Core
import FoundationEssentials
import Simulator
import Storyboards
import Web

/// Builds the model of the board page for one app, or for two side by side. Plays no state.
struct BoardBuilder {
    let services: Services
    let frames: FrameBuilder
    let workspace: String
    let csrf: String
    let query: BoardQuery
    let app: App
    let comparedApp: App?
    let stateCache: StateCache
    /// `http://127.0.0.1:7070`.
    let origin: String

    private var shownApps: [App] { [app] + [comparedApp].compactMap(\.self) }

    func build() async throws -> BoardModel {
        let results = shownApps.map {
            services.playbackResults(of: stateCache.cachedRecordings(of: $0))
        }
        let boards = zip(shownApps, results).compactMap(makeBoard)
        return BoardModel(
            frame: try await frames.frame(
                "\(app.name) storyboard", navItem: "storyboard", workspace: workspace,
                csrfToken: csrf,
                partURL: query.partURL), csrf: csrf, partURL: query.partURL, appName: app.name,
            appSwitch: AppSwitchModel("storyboard", "\(app.name) storyboard", on: app, services) {
                other in
                query.link {
                    $0.app = other
                    $0.comparedAppID = nil
                    $0.screen = nil
                    $0.selected = nil
                }
            }, status: makeStatus(results), rerenderAction: Links.rerenderStoryboard(app.id),
            boardURL: query.link, exportURL: exportURL(nil), downloadURL: exportURL("1"),
            sizes: sizes, appearanceChoices: appearanceChoices,
            tabs: StoryboardTabModel.all(of: app.id, current: .board),
            menus: menus, activeFilters: activeFilters,
            clearURL: query.isFiltered
                ? query.link {
                    $0.screen = nil
                    $0.kind = nil
                } : nil, zoom: zoom, sizeClass: "phone-\(query.size.id)", boards: boards,
            empty: boards.isEmpty ? empty : nil, panel: try makePanel(results))
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

    private func makeBoard(_ app: App, _ results: [StateRecording.Key: PlaybackResult])
        -> BoardModel
        .Board?
    {
        let shownScreens = app.screens.compactMap { screen in
            let states = app.screenStates(of: screen).filter { query.matches(screen, $0) }
            return states.isEmpty ? nil : (screen: screen, states: states)
        }
        guard !shownScreens.isEmpty else { return nil }
        let names = shownScreens.map(\.screen.id)
        // An edge ends at a screen's default state, so other kinds of state get none.
        let edges =
            [nil, .initial].contains(query.kind) ? BoardEdge.all(of: app, between: names) : []
        return BoardModel.Board(
            boardID: app.id, boardName: app.name, boardGlyph: GlyphModel(app),
            showsName: comparedApp != nil,
            drawing: BoardDrawing(edges, rows: shownScreens.map(\.states.count), size: query.size),
            columns: shownScreens.map { screen, states in
                let titles = StateTitles(app, screen)
                return .init(
                    columnName: screen.id, columnCount: "\(states.count)",
                    tiles: states.map {
                        makeTile($0, titles, results[.init(screen: screen.id, state: $0.name)])
                    })
            }, edgeDescriptions: edges.map { $0.description(columns: names) })
    }

    private func makeTile(_ state: ScreenState, _ titles: StateTitles, _ result: PlaybackResult?)
        -> BoardModel.Tile
    {
        let app = titles.app
        let screen = titles.screen.id
        let tileID = BoardQuery.TileID(app: app.id, screen: screen, state: state.name)
        let title = titles.title(of: state)
        let name = "\(screen).\(state.name)"
        return BoardModel.Tile(
            tileID: app.id == self.app.id ? name : "\(app.id).\(name)",
            tileURL: query.link { $0.selected = tileID }, tileTitle: title,
            stateName: state.cause == .initial ? nil : state.name,
            accessibilityLabel: "\(screen), \(title)",
            isSelected: query.selected == tileID,
            frameURL: Links.tile(
                app.id, .init(screen: screen, state: state.name), size: query.size.id,
                appearance: app.appearance == .system ? query.appearance.rawValue : nil),
            statusBarStyle: app.resolvedAppearance(for: query.appearance).statusBarClass,
            failure: result?.renderStatus.failure)
    }

    private func makePanel(_ results: [[StateRecording.Key: PlaybackResult]]) throws
        -> StatePanelModel?
    {
        guard let tile = query.selected else { return nil }
        guard let index = shownApps.firstIndex(where: { $0.id == tile.app }) else {
            throw Problem.unknownApp(tile.app)
        }
        let result = results[index][.init(screen: tile.screen, state: tile.state)]
        return try StatePanelBuilder(
            app: shownApps[index], query: query, recording: result?.recording,
            renderStatus: result?.renderStatus ?? .notPlayed, origin: origin
        ).build(tile)
    }

    // MARK: Status

    private func makeStatus(_ results: [[StateRecording.Key: PlaybackResult]]) -> BoardModel.Status
    {
        let screens = shownApps.reduce(0) { $0 + $1.screens.count }
        let states = shownApps.reduce(0) { sum, app in
            sum + app.screens.reduce(0) { $0 + app.states(of: $1).count }
        }
        let last = results.flatMap(\.values).map(\.recording.playedAt).max()
        return .init(
            countText: Format.count(screens, "screen") + ", " + Format.count(states, "state"),
            renderedAt: last?.iso8601,
            renderedText: last.map { Format.ago($0, services.world.now()) },
            failures: [
                failureSummary(.broken, "broken", results),
                failureSummary(.unreachable, "unreachable", results),
            ].compactMap(\.self))
    }

    /// The number of tiles with this kind of failure, with a link to the first; nil if there are
    /// none.
    private func failureSummary(
        _ kind: RenderStatus.Failure.Kind, _ label: String,
        _ results: [[StateRecording.Key: PlaybackResult]]
    )
        -> BoardModel.FailureSummary?
    {
        let failedTiles = zip(shownApps, results).flatMap { app, results in
            app.screens.flatMap { screen in
                app.states(of: screen).filter { state in
                    results[.init(screen: screen.id, state: state)]?.renderStatus.failure?.kind
                        == kind
                }.map { BoardQuery.TileID(app: app.id, screen: screen.id, state: $0) }
            }
        }
        guard let first = failedTiles.first else { return nil }
        return .init(
            failureKind: kind.rawValue, text: "\(failedTiles.count) \(label)",
            tone: kind == .broken ? .bad : .warn,
            failureURL: query.link {
                $0.screen = nil
                $0.kind = nil
                $0.selected = first
            })
    }

    private var empty: EmptyStateModel {
        .noMatches(
            "No matching states", "No state of \(app.name) matches these filters.", drawing: .key,
            all: query.link {
                $0.screen = nil
                $0.kind = nil
            })
    }
}

/// A played state with its current render status.
struct PlaybackResult: Sendable {
    var recording: StateRecording
    var renderStatus: RenderStatus
}
